#!/usr/bin/env python3
"""Makes vectors.json, against which the maths of linking with a passkey is tested: python3 vectors.py > vectors.json

Written from the description of the protocol alone, in another language, with protobuf, X25519 (RFC 7748), HKDF (RFC 5869) and base32
spelled out, so that it shares neither code nor mistakes with what it tests. AES-GCM comes from a library (`cryptography`), which also
has to agree about X25519.
"""

import hashlib
import hmac
import json

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

P = 2**255 - 19
BASE = (9).to_bytes(32, "little")
ALPHABET = "123456789ABCDEFGHJKLMNPQRSTVWXYZ"


def x25519(scalar: bytes, point: bytes) -> bytes:
    """RFC 7748, section 5: the Montgomery ladder."""
    k = bytearray(scalar)
    k[0] &= 248
    k[31] = (k[31] & 127) | 64
    n = int.from_bytes(k, "little")
    u = int.from_bytes(point, "little") % 2**255
    x2, z2, x3, z3 = 1, 0, u, 1
    for place in reversed(range(255)):
        bit = (n >> place) & 1
        if bit:
            x2, z2, x3, z3 = x3, z3, x2, z2
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        aa, bb, da, cb = a * a % P, b * b % P, d * a % P, c * b % P
        e = (aa - bb) % P
        x3, z3 = (da + cb) ** 2 % P, u * (da - cb) ** 2 % P
        x2, z2 = aa * bb % P, e * (aa + 121665 * e) % P
        if bit:
            x2, z2, x3, z3 = x3, z3, x2, z2
    return (x2 * pow(z2, P - 2, P) % P).to_bytes(32, "little")


def hkdf(ikm: bytes, salt: bytes, info: bytes, length: int = 32) -> bytes:
    """RFC 5869."""
    prk = hmac.new(salt or bytes(32), ikm, hashlib.sha256).digest()
    out, block = b"", b""
    while len(out) < length:
        block = hmac.new(prk, block + info + bytes([len(out) // 32 + 1]), hashlib.sha256).digest()
        out += block
    return out[:length]


def varint(value: int) -> bytes:
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def field(number: int, value) -> bytes:
    """One field of a protobuf message: a number as varint, anything else with its length."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def base32(data: bytes) -> str:
    bits = "".join(f"{byte:08b}" for byte in data)
    return "".join(ALPHABET[int(bits[at : at + 5], 2)] for at in range(0, len(bits), 5))


def sha256(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def chosen(name: str, length: int = 32) -> bytes:
    """What would be random, the same at each run."""
    return hashlib.sha512(b"parley " + name.encode()).digest()[:length]


def vector(name: str, device_type: int, ref: str) -> dict:
    def random(what: str, length: int = 32) -> bytes:
        return chosen(f"{name} {what}", length)

    adv_secret, rotated = random("adv secret"), random("rotated adv secret")
    seed, nonce = random("companion ephemeral"), random("companion nonce")
    primary_seed, primary_nonce = random("primary ephemeral"), random("primary nonce")
    noise, identity_key, iv = random("noise"), random("identity"), random("iv", 12)

    public, primary_public = x25519(seed, BASE), x25519(primary_seed, BASE)
    shared = x25519(seed, primary_public)
    assert shared == x25519(primary_seed, public)
    library = X25519PrivateKey.from_private_bytes(seed)
    assert public == library.public_key().public_bytes_raw()
    assert shared == library.exchange(X25519PublicKey.from_public_bytes(primary_public))

    identity = field(1, public) + field(2, device_type) + field(3, ref)
    payload = field(1, identity) + field(2, field(1, sha256(identity, nonce)))
    handoff_key = hkdf(adv_secret, b"", b"shortcake-passkey-handoff-v1")
    pairing_key = hkdf(
        shared,
        f"Companion Pairing {device_type} with ref {ref}".encode(),
        b"Pairing Information Encryption Key",
    )
    digest = sha256(nonce, primary_public)
    request = field(1, noise) + field(2, identity_key) + field(3, rotated)
    sealed = AESGCM(pairing_key).encrypt(iv, request, None)
    values = {
        "advSecret": adv_secret,
        "rotatedSecret": rotated,
        "seed": seed,
        "nonce": nonce,
        "primarySeed": primary_seed,
        "primaryPublic": primary_public,
        "primaryNonce": primary_nonce,
        "noiseKey": noise,
        "identityKey": identity_key,
        "iv": iv,
        "handoffKey": handoff_key,
        "identity": identity,
        "payload": payload,
        "proof": hmac.new(handoff_key, payload, hashlib.sha256).digest(),
        "primary": field(1, primary_public) + field(2, primary_nonce),
        "pairingKey": pairing_key,
        "encryptedPairingRequest": field(1, sealed) + field(2, iv),
    }
    code = base32(bytes(a ^ b for a, b in zip(primary_nonce[:5], digest[:5])))
    return {
        "name": name,
        "deviceType": device_type,
        "ref": ref,
        "code": code,
        **{key: value.hex() for key, value in values.items()},
    }


print(
    json.dumps(
        [
            vector("as a browser that everybody knows", 1, "2@" + chosen("ref", 48).hex()),
            vector("as another kind of device", 23, "2@short"),
            vector("with a ref beyond ASCII", 1, "réf, ✓ 2@"),
        ],
        indent=2,
        ensure_ascii=False,
    )
)
