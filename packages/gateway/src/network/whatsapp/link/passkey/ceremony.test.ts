import { EventEmitter } from 'node:events';
import { type BinaryNode, initAuthCreds, proto } from 'baileys';
import { describe, expect, test } from 'vitest';
import { createSeededRandom, createSteppedClock } from '#kernel';
import type { PairingProgress } from '../../../port.ts';
import { type CeremonyParts, handlePasskeyCeremony } from './ceremony.ts';
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

/** The ceremony on a connection whose other side the test plays. */
function onStage(changes: Partial<CeremonyParts> = {}) {
  const clock = createSteppedClock();
  const creds = initAuthCreds();
  const ws = new EventEmitter();
  const asked: Asked[] = [];
  const reported: PairingProgress[] = [];
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
  const ceremony = handlePasskeyCeremony({
    // The parts of the library's socket that the ceremony uses.
    sock: { ws, query } as unknown as CeremonyParts['sock'],
    creds,
    deviceType: 1,
    clock,
    random: createSeededRandom(1),
    isSecretShared: () => true,
    report: (progress) => reported.push(progress),
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
    reported,
    failures,
    request(options: object | string = OPTIONS, from = SERVER) {
      const content = Buffer.from(typeof options === 'string' ? options : JSON.stringify(options));
      say('passkey_prologue_request', [{ tag: 'passkey_request_options', attrs: {}, content }], from);
    },
    continueOn: (content: Uint8Array = PRIMARY, from = SERVER) =>
      say('crsc_continuation', [{ tag: 'primary_ephemeral_identity', attrs: {}, content }], from),
    /** The last query. */
    last: (): Asked => asked.at(-1) ?? raise('nothing was asked'),
    /** Answers the last query, and lets the ceremony continue. */
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

describe('the request of the network', () => {
  test('is passed on unchanged, after the secret was replaced and before anything was sent', () => {
    const seen: unknown[] = [];
    const stage = onStage({
      report: (progress) =>
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
    const { request, reported, clock, failures } = onStage();
    request();
    expect(reported).toEqual([{ kind: 'passkey', options: OPTIONS, expiresAt: clock.now() + 600_000 }]);
    clock.advance(599_999);
    expect(failures).toEqual([]);
    clock.advance(1);
    expect(failures).toMatchObject([{ cause: 'expired' }]);
  });

  test('is accepted from the network only', () => {
    const { request, reported, ceremony, creds } = onStage();
    const secret = creds.advSecretKey;
    request(OPTIONS, '15550001001@s.whatsapp.net');
    expect(reported).toEqual([]);
    expect(ceremony.isUnderWay).toBe(false);
    expect(creds.advSecretKey).toBe(secret);
  });

  test('counts once when it is repeated unchanged', () => {
    const { request, reported, creds } = onStage();
    request();
    const secret = creds.advSecretKey;
    request();
    expect(reported).toHaveLength(1);
    expect(creds.advSecretKey).toBe(secret);
  });

  test.each(['', '{', '[]', 'null', '{"challenge":1}'])('that reads %j is fetched again', async (text) => {
    const { request, last, next, reported } = onStage();
    request(text);
    expect(last().tag).toBe('passkey_request_options');
    await next([
      { tag: 'passkey_request_options', attrs: {}, content: Buffer.from(JSON.stringify(OPTIONS)) },
    ]);
    expect(reported).toMatchObject([{ kind: 'passkey', options: OPTIONS }]);
  });

  test('without options means that there is no passkey', async () => {
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

  test('is sent in the network’s form, without additional fields', async () => {
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
  ])('carries no proof %s: codes are compared', async (_, changes, waitMs) => {
    const stage = await signed(changes, waitMs);
    expect(partOf(stage.last(), 'pairing_handoff_proof')).toBeUndefined();
    await stage.next();
    stage.continueOn();
    await settled();
    expect(stage.last().tag).toBe('companion_nonce');
    expect(stage.reported).toHaveLength(1);
    // A code that was not shown yet cannot be confirmed.
    stage.ceremony.confirm();
    await stage.next();
    expect(stage.reported.at(-1)).toMatchObject({
      kind: 'confirm',
      code: expect.stringMatching(/^[1-9A-Z]{8}$/),
    });
    expect(stage.last().tag).toBe('companion_nonce');
    stage.ceremony.confirm();
    await settled();
    expect(stage.last().tag).toBe('encrypted_pairing_request');
  });

  test('has its own reason when it is refused or not answered', async () => {
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

  test('leaves the report of a lost connection to its owner', async () => {
    const { last, failures } = await signed();
    last().refuse(428);
    await settled();
    expect(failures).toEqual([]);
  });

  test('and the answer of the phone may arrive together', async () => {
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
    ['a key of low order', Buffer.concat([Buffer.of(10, 32), Buffer.alloc(32), PRIMARY.subarray(34)])],
  ])('ends when the phone answers with %s', async (_, content) => {
    const { next, continueOn, failures, asked } = await signed();
    await next();
    continueOn(content);
    await settled();
    expect(failures).toMatchObject([{ cause: 'not_continued' }]);
    expect(asked.map(({ tag }) => tag)).not.toContain('companion_nonce');
  });

  test('accepts the answer only from the network’s server', async () => {
    const { next, continueOn, last } = await signed();
    await next();
    continueOn(PRIMARY, '15550001001@s.whatsapp.net');
    await settled();
    expect(last().tag).toBe('passkey_prologue');
  });

  test('sends the request, after which the network has a minute', async () => {
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

describe('a newer request', () => {
  const NEWER = { ...OPTIONS, challenge: 'bmV3ZXI' };

  test('replaces the older one, whose late answer is ignored', async () => {
    const { request, ceremony, reported, asked, next, continueOn, last, failures } = onStage();
    request();
    ceremony.answerPasskey(CREDENTIAL);
    await next(REF);
    const inFlight = last();
    request(NEWER);
    inFlight.answer();
    continueOn();
    await settled();
    expect(reported.map((step) => step.kind === 'passkey' && step.options)).toEqual([OPTIONS, NEWER]);
    expect(asked.map(({ tag }) => tag)).toEqual(['ref', 'passkey_prologue']);

    ceremony.answerPasskey(CREDENTIAL);
    await next(REF);
    // The phone knows the secret that was shown, and not its replacement.
    expect(partOf(last(), 'pairing_handoff_proof')).toBeUndefined();
    await next();
    expect(last().tag).toBe('passkey_prologue');
    continueOn();
    await settled();
    expect(last().tag).toBe('companion_nonce');
    expect(failures).toEqual([]);
  });

  test('makes a refusal of the older one irrelevant', async () => {
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

  test('withdraws the code that was to be compared', async () => {
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

  test('is accepted a limited number of times', () => {
    const { request, reported, failures } = onStage();
    for (let turn = 1; turn <= 6; turn += 1) request({ challenge: `Y${turn}` });
    expect(reported).toHaveLength(5);
    expect(failures).toMatchObject([{ cause: 'superseded' }]);
  });
});

test('a stopped ceremony receives and sends nothing more', async () => {
  const { request, ceremony, reported, asked, clock, failures } = onStage();
  request();
  ceremony.stop();
  ceremony.answerPasskey(CREDENTIAL);
  request({ challenge: 'bmV3ZXI' });
  clock.advance(600_000);
  await settled();
  expect([reported.length, asked.length, failures.length]).toEqual([1, 0, 0]);
});
