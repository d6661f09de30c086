"""Prints the Binder badge and link for the git remote of this checkout: forks run their own copy.

python tests/badge.py https://course.example.org    prints the link that brings the checkout to a hub of your own, into the
                                                    home of whoever follows it
python tests/badge.py site                          prints where .github/workflows/site.yml publishes its site
"""

import re
import subprocess
import sys
from urllib.parse import quote, urlencode

START = "lab/tree/mine/00_start_here.ipynb"
SERVICES = {"github.com": "gh", "gitlab.com": "gl"}


ADDRESS = r"(?:https?://(?:[^@/]+@)?|ssh://(?:[^@/]+@)?|[^@/]+@)([^/:]+)(?::\d+)?[:/](.+?)(?:\.git)?/?"


def parts(remote, who="Binder"):
    """(host, path) of a git remote, by https or ssh. Raises ValueError for what is no address."""
    found = re.fullmatch(ADDRESS, remote)
    if not found:
        raise ValueError(f"{remote!r} is not an address that {who} could reach")
    return found.groups()


def link(remote, ref):
    """The Binder address of a git remote. Raises ValueError for what is no address."""
    host, path = parts(remote)
    if host in SERVICES:
        name = path if SERVICES[host] == "gh" else quote(path, safe="")
        place = f"{SERVICES[host]}/{name}"
    else:
        place = f"git/{quote(f'https://{host}/{path}.git', safe='')}"
    return f"https://mybinder.org/v2/{place}/{quote(ref, safe='')}?urlpath={quote(START)}"


def class_link(hub, remote, ref):
    """The address at a hub with nbgitpuller that fetches a git remote. Raises ValueError for what is no address."""
    if not re.fullmatch(r"https?://[^/\s?#]+(?:/[^\s?#]*)?", hub):
        raise ValueError(f"{hub!r} is not the address of a hub, such as https://course.example.org")
    home = re.sub(r"(?<![:/])/hub$", "", hub.rstrip("/"))  # as an address bar shows it, or as it was given out
    host, path = parts(remote, "a hub")
    opened = f"lab/tree/{path.rpartition('/')[2]}/notebooks/00_start_here.ipynb"
    query = urlencode({"repo": f"https://{host}/{path}.git", "branch": ref, "urlpath": opened})
    return f"{home}/hub/user-redirect/git-pull?{query}"


def site(remote):
    """The address of the site that the workflow publishes. Raises ValueError where it publishes none."""
    host, path = parts(remote, "a workflow")
    if host != "github.com":
        raise ValueError(
            f"{host} runs no workflow of .github/: publish the folder that  make site  builds there yourself"
        )
    owner, name = path.split("/")[:2]
    home = f"{owner.lower()}.github.io"
    return f"https://{home}/" if name.lower() == home else f"https://{home}/{name}/"


def git(*arguments):
    return subprocess.run(["git", *arguments], capture_output=True, text=True, check=False).stdout.strip()


def branch():
    """The branch of this checkout; of one that stands on none, that which its remote is fetched by."""
    name = git("rev-parse", "--abbrev-ref", "HEAD")
    if name and name != "HEAD":
        return name
    return git("symbolic-ref", "--short", "refs/remotes/origin/HEAD").removeprefix("origin/") or "main"


def main(hub=None):
    """Print what was asked for; an empty `hub` is one that was forgotten."""
    remote, ref = git("remote", "get-url", "origin"), branch()
    try:
        if hub is not None and not hub.strip():
            raise ValueError("The address of your hub is missing: make class-link HUB=https://course.example.org")
        if not remote:
            raise ValueError("This checkout has no git remote named origin: push it somewhere public first.")
        address = site(remote) if hub == "site" else class_link(hub, remote, ref) if hub else link(remote, ref)
    except ValueError as error:
        print(error)
        return 1
    print(address if hub else f"[![Open in Binder](https://mybinder.org/badge_logo.svg)]({address})\n\n{address}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
