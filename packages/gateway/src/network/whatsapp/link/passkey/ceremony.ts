import { type AuthenticationCreds, type BinaryNode, DisconnectReason, type WASocket } from 'baileys';
import type { Clock, Random, Timer } from '#kernel';
import {
  PASSKEY_PATIENCE_MS,
  type PairingAttempt,
  type PairingProgress,
  type PasskeyCredential,
  type PasskeyFailure,
  type PasskeyOptions,
} from '../../../port.ts';
import { codeOf } from '../../errors.ts';
import {
  codeToCompare,
  composePrologue,
  deriveHandoffKey,
  derivePairingKey,
  type Primary,
  proveHandoff,
  sealPairingRequest,
} from './maths.ts';
import {
  CONTINUED,
  conversationOver,
  isFromNetwork,
  optionsIn,
  PROLOGUE_REQUESTED,
  primaryIn,
} from './stanzas.ts';

/**
 * Linking of a number that the network guards with a passkey, on the connection that shows its QR or code:
 *
 *     idle ──the network asks──▶ asked ──the owner signs──▶ signed ──the phone's key──▶ revealed ──▶ sealed ──▶ pair-success
 *                                  ▲                          │                            │           ▲
 *                                  └── the network asks anew ─┴────────────────────────────┤           │
 *                                                                                          └──compare──┘
 *
 * Each request of the network starts a new round; late answers of older rounds are ignored. The secret that the
 * phone vouches with is replaced when the network asks, before anything is sent: the secret in the QR was
 * visible on the screen.
 */
export interface Ceremony extends Omit<PairingAttempt, 'cancel'> {
  /** Whether the network has asked for a passkey on this connection. */
  readonly isUnderWay: boolean;
  stop(): void;
}

export interface CeremonyParts {
  readonly sock: Pick<WASocket, 'query' | 'ws'>;
  /** Live object: the library compares the phone's answer with the secret in it. */
  readonly creds: AuthenticationCreds;
  /** Device type that the connection has registered. */
  readonly deviceType: number;
  readonly clock: Clock;
  readonly random: Pick<Random, 'bytes'>;
  /** Whether the phone knows the secret in `creds`, from the QR or by the code. */
  readonly isSecretShared: () => boolean;
  readonly report: (progress: Extract<PairingProgress, { kind: 'passkey' | 'confirm' }>) => void;
  readonly fail: (reason: string, cause: PasskeyFailure | undefined) => void;
  /** Called when QR and code are no longer to be shown. */
  readonly onAsked: () => void;
}

interface Round {
  readonly askedAt: number;
  /** Deleted after use. */
  handoffKey: Uint8Array | undefined;
  options?: PasskeyOptions;
  /** Party that the ceremony waits for; otherwise it talks to the network. */
  waitsFor: 'network' | 'signature' | 'phone' | 'comparison';
  /** The assertion is sent: from now on the phone may answer. */
  isSent: boolean;
  readonly primary: PromiseWithResolvers<Primary>;
  readonly confirmation: PromiseWithResolvers<void>;
}

/** How long the phone accepts the handoff proof. */
const HANDOFF_MS = 300_000;
/** The phone is in use and shows that it waits. */
const CONTINUATION_MS = 120_000;
/** All messages are sent; only the network's confirmation is missing. */
const PAIRING_MS = 60_000;
const MOST_QUESTIONS = 5;
const SECRET_BYTES = 32;
const IV_BYTES = 12;
const SERVER_FAILED = 500;

const REASONS = {
  no_passkey:
    'This account has no passkey yet: create one on the phone (Settings, Account, Passkeys), then link again.',
  refused: 'The network did not accept the passkey: use the one of the number to be linked, and start again.',
  expired: 'The passkey was not used, or the codes were not compared, within ten minutes; start again.',
  not_continued: 'The phone did not continue: keep WhatsApp open on it, and start again.',
  superseded: 'The phone began anew too often: close WhatsApp on it, open it again, and start again.',
} as const satisfies Record<PasskeyFailure, string>;
const NO_ANSWER = 'The network did not answer while the passkey was used; start again.';

/** Ends a round that is no longer the newest, or whose connection is gone, without a report. */
class Dropped extends Error {}

class Failed extends Error {
  override readonly cause: PasskeyFailure;

  constructor(cause: PasskeyFailure, reason: string = REASONS[cause]) {
    super(reason);
    this.cause = cause;
  }
}

export function handlePasskeyCeremony(parts: CeremonyParts): Ceremony {
  const { sock, creds, clock, random, report } = parts;
  const network = conversationOver(sock);
  let round: Round | undefined;
  let questions = 0;
  let patience: Timer | undefined;
  let step: Timer | undefined;

  function stop(): void {
    round = undefined;
    patience?.cancel();
    step?.cancel();
    sock.ws.off(PROLOGUE_REQUESTED, onQuestion);
    sock.ws.off(CONTINUED, onPhone);
  }

  function fail({ message, cause }: Failed): void {
    stop();
    parts.fail(message, cause);
  }

  /** Continues a round. A failure that is not the network's is reported as one of the phone's part. */
  function carryOn(work: Promise<void>): void {
    work.catch((error: unknown) => {
      if (error instanceof Dropped) return;
      fail(error instanceof Failed ? error : new Failed('not_continued'));
    });
  }

  /** Limits the time for the next step of the phone or the network. */
  function expectWithin(ms: number): void {
    step?.cancel();
    step = clock.after(ms, () => fail(new Failed('not_continued')));
  }

  /** The network's answer in this round; `cause` is the failure that a refusal means. */
  async function said<T>(mine: Round, work: Promise<T>, cause: PasskeyFailure): Promise<T> {
    const outcome = await work.then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    if (round !== mine) throw new Dropped();
    if ('value' in outcome) return outcome.value;
    const code = codeOf(outcome.error);
    if (code === DisconnectReason.connectionClosed) throw new Dropped();
    const isRefusal = code !== undefined && code < SERVER_FAILED;
    throw isRefusal ? new Failed(cause) : new Failed('not_continued', NO_ANSWER);
  }

  /** Work of another party in this round, while the ceremony waits for it. */
  async function waited<T>(mine: Round, waitsFor: Round['waitsFor'], work: Promise<T>): Promise<T> {
    mine.waitsFor = waitsFor;
    const value = await work;
    if (round !== mine) throw new Dropped();
    mine.waitsFor = 'network';
    return value;
  }

  function onQuestion(node: BinaryNode): void {
    if (!isFromNetwork(node)) return;
    const options = optionsIn(node);
    // The network repeats a request when it missed the acknowledgement.
    if (round && options && options.challenge === round.options?.challenge) return;
    questions += 1;
    if (questions > MOST_QUESTIONS) fail(new Failed('superseded'));
    else carryOn(ask(begin(), options));
  }

  /** Synchronous: the secret changes before anything else can be sent. */
  function begin(): Round {
    // After the secret has changed the phone does not know it: there is no proof then, and codes are compared.
    const isShared = questions === 1 && parts.isSecretShared();
    const shown = Buffer.from(creds.advSecretKey, 'base64');
    creds.advSecretKey = Buffer.from(random.bytes(SECRET_BYTES)).toString('base64');
    step?.cancel();
    patience?.cancel();
    patience = clock.after(PASSKEY_PATIENCE_MS, () =>
      fail(new Failed(mine.waitsFor === 'phone' ? 'not_continued' : 'expired')),
    );
    const mine: Round = {
      askedAt: clock.now(),
      handoffKey: isShared ? deriveHandoffKey(shown) : undefined,
      waitsFor: 'network',
      isSent: false,
      primary: Promise.withResolvers(),
      confirmation: Promise.withResolvers(),
    };
    round = mine;
    parts.onAsked();
    return mine;
  }

  async function ask(mine: Round, given: PasskeyOptions | undefined): Promise<void> {
    const options = given ?? (await said(mine, network.options(), 'no_passkey'));
    if (!options) throw new Failed('no_passkey');
    mine.options = options;
    mine.waitsFor = 'signature';
    report({ kind: 'passkey', options, expiresAt: mine.askedAt + PASSKEY_PATIENCE_MS });
  }

  async function proceed(mine: Round, credential: PasskeyCredential): Promise<void> {
    const ref = await said(mine, network.ref(), 'not_continued');
    if (!ref) throw new Failed('not_continued');
    const { deviceType } = parts;
    const prologue = composePrologue({ seed: random.bytes(32), nonce: random.bytes(32), deviceType, ref });
    const isNear = clock.now() - mine.askedAt < HANDOFF_MS;
    const proof = isNear && mine.handoffKey ? proveHandoff(mine.handoffKey, prologue.payload) : undefined;
    mine.handoffKey = undefined;
    mine.isSent = true;
    await said(mine, network.prologue({ credential, payload: prologue.payload, proof }), 'refused');
    expectWithin(CONTINUATION_MS);
    const primary = await waited(mine, 'phone', mine.primary.promise);
    step?.cancel();
    const pairingKey = derivePairingKey(prologue, primary);
    await said(mine, network.nonce(prologue.nonce), 'not_continued');
    if (!proof) {
      const compared = waited(mine, 'comparison', mine.confirmation.promise);
      const code = codeToCompare(prologue, primary);
      report({ kind: 'confirm', code, expiresAt: mine.askedAt + PASSKEY_PATIENCE_MS });
      await compared;
    }
    const sealed = sealPairingRequest(pairingKey, random.bytes(IV_BYTES), {
      noiseKey: creds.noiseKey.public,
      identityKey: creds.signedIdentityKey.public,
      advSecret: Buffer.from(creds.advSecretKey, 'base64'),
    });
    await said(mine, network.pairingRequest(sealed), 'not_continued');
    mine.waitsFor = 'phone';
    expectWithin(PAIRING_MS);
  }

  function onPhone(node: BinaryNode): void {
    // It may arrive together with the acceptance of the assertion. One that arrives earlier belongs to an older
    // request.
    if (!isFromNetwork(node) || !round?.isSent) return;
    const primary = primaryIn(node);
    if (primary) round.primary.resolve(primary);
    else fail(new Failed('not_continued'));
  }

  sock.ws.on(PROLOGUE_REQUESTED, onQuestion);
  sock.ws.on(CONTINUED, onPhone);

  return {
    get isUnderWay() {
      return questions > 0;
    },
    answerPasskey(credential) {
      const mine = round;
      if (mine?.waitsFor !== 'signature') return;
      mine.waitsFor = 'network';
      carryOn(proceed(mine, credential));
    },
    confirm() {
      if (round?.waitsFor === 'comparison') round.confirmation.resolve();
    },
    stop,
  };
}
