import { EventEmitter } from 'node:events';
import { type BinaryNode, initAuthCreds, proto } from 'baileys';
import { describe, expect, test } from 'vitest';
import { createSeededRandom, createSteppedClock } from '#kernel';
import type { PairingProgress } from '../../../port.ts';
import { attendToPasskey, type CeremonyParts } from './ceremony.ts';
import { deriveHandoffKey, proveHandoff } from './maths.ts';
import vectors from './vectors.json' with { type: 'json' };

const OPTIONS = { challenge: 'Y2hhbGxlbmdl', rpId: 'whatsapp.com', timeout: 600_000 };
const CREDENTIAL = {
  id: 'aWQ',
  rawId: 'aWQ',
  type: 'public-key',
  response: { clientDataJSON: 'Y2Q', authenticatorData: 'YWQ', signature: 'c2ln' },
} as const;
const PRIMARY = Buffer.from(vectors[0]?.primary ?? '', 'hex');
const SERVER = '@s.whatsapp.net';

interface Asked {
  readonly tag: string;
  readonly node: BinaryNode;
  answer(content?: BinaryNode[]): void;
  refuse(code: number): void;
}

/** The ceremony on a connection whose other side is played by hand. */
function onStage(changes: Partial<CeremonyParts> = {}) {
  const clock = createSteppedClock();
  const creds = initAuthCreds();
  const ws = new EventEmitter();
  const asked: Asked[] = [];
  const told: PairingProgress[] = [];
  const failures: unknown[] = [];
  const query = (node: BinaryNode): Promise<BinaryNode> => {
    const { promise, resolve, reject } = Promise.withResolvers<BinaryNode>();
    const [part] = Array.isArray(node.content) ? node.content : [];
    asked.push({
      tag: part?.tag ?? '',
      node: part ?? node,
      answer: (content) => resolve({ tag: 'iq', attrs: { type: 'result' }, ...(content && { content }) }),
      refuse: (code) => reject(Object.assign(new Error('refused'), { data: code })),
    });
    return promise;
  };
  const ceremony = attendToPasskey({
    // As much of the library's socket as the ceremony uses.
    sock: { ws, query } as unknown as CeremonyParts['sock'],
    creds,
    deviceType: 1,
    clock,
    random: createSeededRandom(1),
    isSecretShared: () => true,
    tell: (progress) => told.push(progress),
    fail: (reason, cause) => failures.push({ reason, cause }),
    onAsked() {},
    ...changes,
  });

  const say = (type: string, content: BinaryNode[], from = SERVER): void => {
    ws.emit(`CB:notification,type:${type}`, { tag: 'notification', attrs: { from, type }, content });
  };
  return {
    ceremony,
    clock,
    creds,
    asked,
    told,
    failures,
    request(options: object | string = OPTIONS, from = SERVER) {
      const content = Buffer.from(typeof options === 'string' ? options : JSON.stringify(options));
      say('passkey_prologue_request', [{ tag: 'passkey_request_options', attrs: {}, content }], from);
    },
    continueOn: (content: Uint8Array = PRIMARY, from = SERVER) =>
      say('crsc_continuation', [{ tag: 'primary_ephemeral_identity', attrs: {}, content }], from),
    /** What was asked last. */
    last: (): Asked => asked.at(-1) ?? raise('nothing was asked'),
    /** Answers what was asked last, and lets the ceremony go on. */
    async next(content?: BinaryNode[]) {
      (asked.at(-1) ?? raise('nothing was asked')).answer(content);
      await settled();
    },
  };
}

const REF: BinaryNode[] = [{ tag: 'ref', attrs: {}, content: Buffer.from('2@ref') }];

function raise(text: string): never {
  throw new Error(text);
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await null;
}

const partOf = ({ node }: Asked, tag: string): Buffer | undefined => {
  const found = Array.isArray(node.content) ? node.content.find((part) => part.tag === tag) : undefined;
  return found?.content instanceof Uint8Array ? Buffer.from(found.content) : undefined;
};

describe('the question of the network', () => {
  test('is passed on unchanged, after the secret was chosen anew and before anything was said', () => {
    const seen: unknown[] = [];
    const stage = onStage({
      tell: (progress) =>
        seen.push(progress.kind === 'passkey' && progress.options, stage.creds.advSecretKey),
    });
    const shown = stage.creds.advSecretKey;
    stage.request({ ...OPTIONS, somethingNew: [1] });
    expect(seen).toEqual([{ ...OPTIONS, somethingNew: [1] }, stage.creds.advSecretKey]);
    expect(stage.creds.advSecretKey).not.toBe(shown);
    expect(Buffer.from(stage.creds.advSecretKey, 'base64')).toHaveLength(32);
    expect(stage.asked).toEqual([]);
  });

  test('gives the owner ten minutes', () => {
    const { request, told, clock, failures } = onStage();
    request();
    expect(told).toEqual([{ kind: 'passkey', options: OPTIONS, expiresAt: clock.now() + 600_000 }]);
    clock.advance(599_999);
    expect(failures).toEqual([]);
    clock.advance(1);
    expect(failures).toMatchObject([{ cause: 'expired' }]);
  });

  test('is heard from the network alone', () => {
    const { request, told, ceremony, creds } = onStage();
    const secret = creds.advSecretKey;
    request(OPTIONS, '15550001001@s.whatsapp.net');
    expect(told).toEqual([]);
    expect(ceremony.isUnderWay).toBe(false);
    expect(creds.advSecretKey).toBe(secret);
  });

  test('that is said twice in the same words is one', () => {
    const { request, told, creds } = onStage();
    request();
    const secret = creds.advSecretKey;
    request();
    expect(told).toHaveLength(1);
    expect(creds.advSecretKey).toBe(secret);
  });

  test.each(['', '{', '[]', 'null', '{"challenge":1}'])('that reads %j is asked for again', async (text) => {
    const { request, last, next, told } = onStage();
    request(text);
    expect(last().tag).toBe('passkey_request_options');
    await next([
      { tag: 'passkey_request_options', attrs: {}, content: Buffer.from(JSON.stringify(OPTIONS)) },
    ]);
    expect(told).toMatchObject([{ kind: 'passkey', options: OPTIONS }]);
  });

  test('without anything to sign means that there is no passkey', async () => {
    const refused = onStage();
    refused.request('');
    refused.last().refuse(404);
    await settled();
    expect(refused.failures).toMatchObject([{ cause: 'no_passkey' }]);
    const empty = onStage();
    empty.request('');
    await empty.next();
    expect(empty.failures).toMatchObject([{ cause: 'no_passkey' }]);
  });
});

describe('the assertion', () => {
  async function signed(changes: Partial<CeremonyParts> = {}, waitMs = 0) {
    const stage = onStage(changes);
    const shown = Buffer.from(stage.creds.advSecretKey, 'base64');
    stage.request();
    stage.clock.advance(waitMs);
    stage.ceremony.answerPasskey({ ...CREDENTIAL, authenticatorAttachment: 'platform' } as never);
    expect(stage.last().tag).toBe('ref');
    await stage.next(REF);
    expect(stage.last().tag).toBe('passkey_prologue');
    return { ...stage, shown };
  }

  test('goes out as the network wants it, and nothing that it did not ask for', async () => {
    const { last } = await signed();
    const prologue = last();
    expect(partOf(prologue, 'credential_id')?.toString()).toBe('id');
    expect(JSON.parse(partOf(prologue, 'webauthn_assertion')?.toString() ?? '')).toEqual({
      ...CREDENTIAL,
      response: { ...CREDENTIAL.response, userHandle: null },
    });
    const payload = proto.ProloguePayload.decode(partOf(prologue, 'prologue_payload') ?? Buffer.of());
    const identity = proto.CompanionEphemeralIdentity.decode(
      payload.companionEphemeralIdentity ?? Buffer.of(),
    );
    expect(identity).toMatchObject({ deviceType: 1, ref: '2@ref' });
  });

  test('carries the proof under the secret that was shown, within five minutes', async () => {
    const { last, shown } = await signed({}, 299_999);
    const payload = partOf(last(), 'prologue_payload') ?? Buffer.of();
    const proof = proveHandoff(deriveHandoffKey(shown), payload);
    expect(partOf(last(), 'pairing_handoff_proof')).toEqual(proof);
  });

  test.each([
    ['after five minutes', {}, 300_000],
    ['when the phone does not know our secret', { isSecretShared: () => false }, 0],
  ])('carries none %s: codes are compared', async (_, changes, waitMs) => {
    const stage = await signed(changes, waitMs);
    expect(partOf(stage.last(), 'pairing_handoff_proof')).toBeUndefined();
    await stage.next();
    stage.continueOn();
    await settled();
    expect(stage.last().tag).toBe('companion_nonce');
    expect(stage.told).toHaveLength(1);
    // Of what nobody has shown yet, nobody can say that it is the same.
    stage.ceremony.confirm();
    await stage.next();
    expect(stage.told.at(-1)).toMatchObject({
      kind: 'confirm',
      code: expect.stringMatching(/^[1-9A-Z]{8}$/),
    });
    expect(stage.last().tag).toBe('companion_nonce');
    stage.ceremony.confirm();
    await settled();
    expect(stage.last().tag).toBe('encrypted_pairing_request');
  });

  test('is refused, or not answered: the owner hears which', async () => {
    const refused = await signed();
    refused.last().refuse(403);
    await settled();
    expect(refused.failures).toMatchObject([{ cause: 'refused' }]);
    const unanswered = await signed();
    unanswered.last().refuse(503);
    await settled();
    expect(unanswered.failures).toEqual([
      { cause: 'not_continued', reason: expect.stringContaining('did not answer') },
    ]);
  });

  test('of a connection that is lost is told by whoever holds it', async () => {
    const { last, failures } = await signed();
    last().refuse(428);
    await settled();
    expect(failures).toEqual([]);
  });

  test('and the answer of the phone may come in one breath', async () => {
    const { last, next, continueOn } = await signed();
    continueOn();
    await next();
    expect(last().tag).toBe('companion_nonce');
  });

  test('waits two minutes for the phone', async () => {
    const { next, clock, failures } = await signed();
    await next();
    clock.advance(119_999);
    expect(failures).toEqual([]);
    clock.advance(1);
    expect(failures).toMatchObject([{ cause: 'not_continued' }]);
  });

  test.each([
    ['nonsense', Buffer.from('hello')],
    [
      'a key that gives the secret away',
      Buffer.concat([Buffer.of(10, 32), Buffer.alloc(32), PRIMARY.subarray(34)]),
    ],
  ])('to which the phone answers with %s ends here', async (_, content) => {
    const { next, continueOn, failures, asked } = await signed();
    await next();
    continueOn(content);
    await settled();
    expect(failures).toMatchObject([{ cause: 'not_continued' }]);
    expect(asked.map(({ tag }) => tag)).not.toContain('companion_nonce');
  });

  test('waits for the phone of the network, and no other', async () => {
    const { next, continueOn, last } = await signed();
    await next();
    continueOn(PRIMARY, '15550001001@s.whatsapp.net');
    await settled();
    expect(last().tag).toBe('passkey_prologue');
  });

  test('leads to the request, after which the network has a minute', async () => {
    const { next, continueOn, last, clock, failures } = await signed();
    await next();
    continueOn();
    await settled();
    await next();
    expect(last().tag).toBe('encrypted_pairing_request');
    await next();
    clock.advance(59_999);
    expect(failures).toEqual([]);
    clock.advance(1);
    expect(failures).toMatchObject([{ cause: 'not_continued' }]);
  });
});

describe('a newer question', () => {
  const NEWER = { ...OPTIONS, challenge: 'bmV3ZXI' };

  test('takes the place of the older one, whose answer in flight counts for nothing', async () => {
    const { request, ceremony, told, asked, next, continueOn, last, failures } = onStage();
    request();
    ceremony.answerPasskey(CREDENTIAL);
    await next(REF);
    const inFlight = last();
    request(NEWER);
    inFlight.answer();
    continueOn();
    await settled();
    expect(told.map((step) => step.kind === 'passkey' && step.options)).toEqual([OPTIONS, NEWER]);
    expect(asked.map(({ tag }) => tag)).toEqual(['ref', 'passkey_prologue']);

    ceremony.answerPasskey(CREDENTIAL);
    await next(REF);
    // The phone saw the secret that was shown, and cannot know the one that took its place.
    expect(partOf(last(), 'pairing_handoff_proof')).toBeUndefined();
    await next();
    expect(last().tag).toBe('passkey_prologue');
    continueOn();
    await settled();
    expect(last().tag).toBe('companion_nonce');
    expect(failures).toEqual([]);
  });

  test('makes a refusal of the older one mean nothing', async () => {
    const { request, ceremony, next, last, failures } = onStage();
    request();
    ceremony.answerPasskey(CREDENTIAL);
    await next(REF);
    const inFlight = last();
    request(NEWER);
    inFlight.refuse(403);
    await settled();
    expect(failures).toEqual([]);
  });

  test('takes back the code that was to be compared', async () => {
    const { request, ceremony, next, continueOn, last, clock } = onStage();
    request();
    clock.advance(300_000);
    ceremony.answerPasskey(CREDENTIAL);
    await next(REF);
    await next();
    continueOn();
    await settled();
    await next();
    request(NEWER);
    ceremony.confirm();
    await settled();
    expect(last().tag).toBe('companion_nonce');
  });

  test('comes so often, and no oftener', () => {
    const { request, told, failures } = onStage();
    for (let turn = 1; turn <= 6; turn += 1) request({ challenge: `Y${turn}` });
    expect(told).toHaveLength(5);
    expect(failures).toMatchObject([{ cause: 'superseded' }]);
  });
});

test('a ceremony that was stopped hears and says nothing more', async () => {
  const { request, ceremony, told, asked, clock, failures } = onStage();
  request();
  ceremony.stop();
  ceremony.answerPasskey(CREDENTIAL);
  request({ challenge: 'bmV3ZXI' });
  clock.advance(600_000);
  await settled();
  expect([told.length, asked.length, failures.length]).toEqual([1, 0, 0]);
});
