"""What a starting server tells the person who started it."""

from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from memweaver.app.sections import FileKeys
from memweaver.app.settings import Settings
from memweaver.cli.options import OWNER
from memweaver.cli.output import say, say_json

FIRST = """
  The API key of user `{user}`, shown only this once:

    {secret}

  Try it:

    curl -s {url}/v1/turns -H 'Authorization: Bearer {secret}' \\
      -H 'Content-Type: application/json' \\
      -d '{{"messages": [{{"role": "user", "text": "My sister Ada moved to Lisbon."}}]}}'

    curl -s {url}/v1/recall -H 'Authorization: Bearer {secret}' \\
      -H 'Content-Type: application/json' -d '{{"query": "Where does my sister live?"}}'
"""


SIGN_UP = """  Nobody can log in yet. To let people in, {how}
  (POST {url}/signup), or do it here: memweaver accounts add-admin E-MAIL
"""


def url_of(address: tuple[Any, ...]) -> str:
    host, port = address[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


@dataclass(frozen=True, slots=True)
class Welcome:
    """`secret` is the first API key, if this start made it; `accounts`: somebody can log in."""

    settings: Settings
    address: tuple[Any, ...]
    secret: str | None
    accounts: bool

    @property
    def url(self) -> str:
        return url_of(self.address)

    @property
    def master_key(self) -> str:
        keys = self.settings.keys
        if isinstance(keys, FileKeys):
            return str((keys.path or self.settings.data / "master.key").absolute())
        return "from the environment"

    def show(self, *, as_json: bool) -> None:
        facts: dict[str, object] = {
            "url": self.url,
            "docs": f"{self.url}/docs",
            "data": str(self.settings.data.absolute()),
            "master_key": self.master_key,
        }
        if as_json:
            say_json({**facts, "user": OWNER, "api_key": self.secret})
            return
        say(f"Memweaver {version('memweaver')} is listening on {self.url}\n")
        if self.settings.server.docs:
            say(f"  documentation  {facts['docs']}")
        say(f"  data folder    {facts['data']}")
        say(f"  master key     {facts['master_key']} (keep a copy: without it all is unreadable)")
        if self.secret:
            say(FIRST.format(user=OWNER, secret=self.secret, url=self.url))
        else:
            say("\n  For another API key: memweaver users add NAME\n")
        if not self.accounts:
            say(SIGN_UP.format(how=self.admin, url=self.url))

    @property
    def admin(self) -> str:
        email = self.settings.access.admin_email
        if email:
            return f"sign up as {email}"
        return "name the first admin by ADMIN_EMAIL and start again, then sign up"
