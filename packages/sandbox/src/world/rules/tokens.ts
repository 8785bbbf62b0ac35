import { createHmac, timingSafeEqual } from 'node:crypto';
import type { MailboxWriter } from '../devices/mailbox.ts';
import { lidJid } from '../jids.ts';
import { type PhoneStore, personOf } from '../people/phones.ts';
import { type PhoneNumber, WorldError } from '../types.ts';
import type { WorldContext } from '../world-context.ts';
import type { Tokens } from './types.ts';

/** A token belongs to the week in which it was issued, and is valid for that week and the three after it. */
const bucketMs = 7 * 86_400_000;
const goodForBuckets = 4;
const tokenBytes = 32;
const saltBytes = 32;

export interface TokenStore extends Tokens {
  /** Official apps issue their token to everyone they write to, once a week. */
  issueOnWriting(giver: PhoneNumber, holder: PhoneNumber): void;
}

interface TokensNeeds {
  context: WorldContext;
  phones: PhoneStore;
  mailboxes: MailboxWriter;
}

export function createTokens({ context, phones, mailboxes }: TokensNeeds): TokenStore {
  const { db, clock, randomValues } = context;
  const thisBucket = (): number => Math.floor(clock.now() / bucketMs);

  const tokenIn = (giver: PhoneNumber, holder: PhoneNumber, bucket: number): Uint8Array | undefined =>
    db.get<{ token: Uint8Array }>(
      'SELECT token FROM trusted_tokens WHERE giver = ? AND holder = ? AND bucket = ?',
      giver,
      holder,
      bucket,
    )?.token;

  /** Asked twice in a week, the network issues the same token again. */
  const give = (giver: PhoneNumber, holder: PhoneNumber): void => {
    const bucket = thisBucket();
    const token = tokenIn(giver, holder, bucket) ?? randomValues.bytes(tokenBytes);
    db.run(
      'DELETE FROM trusted_tokens WHERE giver = ? AND holder = ? AND bucket <= ?',
      giver,
      holder,
      bucket - goodForBuckets,
    );
    db.run(
      `INSERT INTO trusted_tokens (giver, holder, bucket, token, at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET at = excluded.at`,
      giver,
      holder,
      bucket,
      token,
      clock.now(),
    );
    mailboxes.notify(holder, {
      kind: 'token',
      person: phones.person(giver),
      token: Buffer.from(token).toString('base64'),
      at: clock.now(),
    });
  };

  const nctSalt = (phone: PhoneNumber): Uint8Array =>
    context.act(() => {
      const kept = db.get<{ salt: Uint8Array | null }>(
        'SELECT nct_salt AS salt FROM phones WHERE phone = ?',
        phone,
      );
      if (!kept) throw new WorldError('not_found', `there is no virtual phone ${phone}`);
      if (kept.salt) return kept.salt;
      const salt = randomValues.bytes(saltBytes);
      db.run('UPDATE phones SET nct_salt = ? WHERE phone = ?', salt, phone);
      return salt;
    });

  return {
    nctSalt,
    issue(actor, to) {
      context.act(() => {
        db.run('UPDATE phones SET token_requests = token_requests + 1 WHERE phone = ?', actor.phone);
        const { phone } = personOf(phones.require(to));
        if (phone !== actor.phone) give(actor.phone, phone);
      });
    },
    issueOnWriting(giver, holder) {
      if (!tokenIn(giver, holder, thisBucket())) give(giver, holder);
    },
    requestsOf: (phone) =>
      db.get<{ n: number }>('SELECT token_requests AS n FROM phones WHERE phone = ?', phone)?.n ?? 0,
    heldBy: (phone) =>
      new Map(
        db
          .all<{ giver: PhoneNumber; token: Uint8Array; at: number }>(
            'SELECT giver, token, at FROM trusted_tokens WHERE holder = ? AND bucket > ? ORDER BY bucket',
            phone,
            thisBucket() - goodForBuckets,
          )
          .map(({ giver, token, at }) => [giver, { token, at }]),
      ),
    isTrusted: (sender, recipient, token) =>
      db
        .all<{ token: Uint8Array }>(
          'SELECT token FROM trusted_tokens WHERE giver = ? AND holder = ? AND bucket > ?',
          recipient,
          sender,
          thisBucket() - goodForBuckets,
        )
        .some((given) => same(given.token, token)),
    isFirstContact(sender, recipient, token) {
      const expected = createHmac('sha256', nctSalt(sender))
        .update(lidJid(phones.person(recipient).lid))
        .digest();
      return same(expected, token);
    },
  };
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
