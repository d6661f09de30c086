"""Specifications: what NumPy says is what loops over single numbers say."""

import numpy as np

from accelerator_course.ladder import specifications as asked

A = np.array([[1.0, 2, 3], [4, 5, 6]])


def test_by_hand():
    assert asked.map_(A[0])["out"].tolist() == [3, 5, 7]
    assert asked.copy(A[0])["out"].tolist() == [1, 2, 3]
    assert asked.transpose(A)["out"].tolist() == [[1, 4], [2, 5], [3, 6]]
    assert asked.reduction(A[0])["out"].tolist() == [6]
    assert asked.scan(A)["out"].tolist() == [[1, 3, 6], [4, 9, 15]]
    assert asked.matmul(A, A.T)["c"].tolist() == [[14, 32], [32, 77]]
    counts = asked.histogram(np.array([63, 0, 63]))["counts"]
    assert len(counts) == 64 and counts[0] == 1 and counts[63] == 2 and counts.sum() == 3


def test_a_convolution_adds_up_nine_neighbours_and_zeros_beyond_the_ends():
    draw = np.random.default_rng(1)
    a, w = draw.integers(1, 9, 20), draw.integers(1, 9, 9)
    for i, got in enumerate(asked.convolution(a, w)["out"]):
        assert got == sum(w[k] * a[i + k - 4] for k in range(9) if 0 <= i + k - 4 < 20)


def test_a_layer_and_its_shares():
    assert asked.product(A, A.T)["c"].tolist() == [[14, 32], [32, 77]]
    assert asked.fused(A, A.T, np.array([-20.0, 1]))["out"].tolist() == [[0, 33], [12, 78]]
    shares = asked.softmax(A)["out"]
    assert np.allclose(shares.sum(axis=1), 1) and np.allclose(shares[:, 1] / shares[:, 0], np.e)


def test_a_token_sees_itself_and_those_before_it():
    draw = np.random.default_rng(2)
    q, k, v = (draw.standard_normal((5, 3)) for _ in range(3))
    for row, got in enumerate(asked.attention(q, k, v)["out"]):
        weights = np.exp([q[row] @ k[col] / 3**0.5 for col in range(row + 1)])
        assert np.allclose(got, weights @ v[: row + 1] / weights.sum())


def test_what_is_asked_is_a_copy():
    a = np.ones(3)
    asked.copy(a)["out"][0] = 7
    assert a[0] == 1
