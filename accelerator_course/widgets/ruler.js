// A logarithmic axis, on which the same distance is the same factor; put before what draws one.

// Where a value stands between two ends of a picture: the least of all values near the left one, the most near the right.
function logarithmic(values, left, right, room = 1.15) {
  const least = Math.min(...values) / room, most = Math.max(...values) * room;
  return (value) => left + ((right - left) * Math.log(value / least)) / Math.log(most / least);
}

// Round multiples of one up to a factor, for ticks: 1, 2, 5, 10, 20; where these are many, 1, 10, 100.
function multiples(factor, many = 5) {
  const all = [];
  for (let unit = 1; unit <= factor; unit *= 10) all.push(...(factor < 2 ? [1, 1.2, 1.5] : [1, 2, 5]).map((each) => each * unit).filter((each) => each <= factor));
  return all.length > many ? all.filter((each) => /^10*$/.test(each)) : all;
}
