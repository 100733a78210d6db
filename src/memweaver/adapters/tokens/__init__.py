"""JSON Web Tokens by PyJWT, with one algorithm; and passwords by argon2."""

from memweaver.adapters.tokens.jwts import Jwts
from memweaver.adapters.tokens.passwords import Argon2Passwords

__all__ = ["Argon2Passwords", "Jwts"]
