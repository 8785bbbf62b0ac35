import { type AuthenticationCreds, initAuthCreds, type WASocket } from 'baileys';
import { createKeyedQueue, type Timer, waitAtMost } from '#kernel';
import type { Absence, PairingAttempt, PairingProgress, PairingRequest, PasskeyFailure } from '../../port.ts';
import { accountOf, digitsOf } from '../convert/index.ts';
import type { Dependencies } from '../dependencies.ts';
import { unlessCutOff, withoutWords } from '../errors.ts';
import { storeLink } from '../vault/index.ts';
import { keepBeforeAgreeing } from './agreement.ts';
import { classifyDisconnect } from './disconnect.ts';
import { createMemoryKeys } from './memory-keys.ts';
import { NoCode, requestPairingCode } from './pairing-code.ts';
import { attendToPasskey, type Ceremony } from './passkey/ceremony.ts';
import { LIBRARY_QR_LIFE_MS, type QrRotation, REFS_GIVEN, refsIn, rotateQrs } from './qr-rotation.ts';
import { deviceTypeOf, openSocket } from './socket.ts';

const MOST_FAILURES = 3;
const PAUSE_MS = 2_000;
/** For the network to close the connection after the phone has agreed. */
const FAREWELL_MS = 5_000;
const UNLINK_PATIENCE_MS = 10_000;
/** The network counts them, and a code lives as long as its connection: some minutes. */
const MOST_CODES = 4;
const NO_CODE = 'The network gave no pairing code.';
const NOT_KEPT = 'The link could not be kept.';
const LOST_OVER_PASSKEY = 'The connection to the network was lost while the passkey was used; start again.';

/**
 * One attempt to link a number:
 *
 *     registering ──qr, code──▶ waiting ──the phone agrees──▶ kept ──the network is told──▶ linked ──the socket closes──▶ paired
 *         ▲                      │   │                          ▲                             │
 *         └──── codes used up ───┘   └──guarded by a passkey────┘ passkey/ceremony.ts         ├──another number──▶ unlinking ──▶ failed
 *                                                                                             └──cancelled───────▶ unlinking
 *
 * The credentials live in memory until the phone has agreed, and are in the store before the network hears that they are: an attempt that
 * ends, or dies, earlier leaves nothing behind, and one that dies later leaves what is needed to unlink it. Every registration starts
 * from fresh ones, because the library writes the number into them when it asks for a code, before anybody has agreed, and a second
 * connection would then try to log in. After the agreement the network asks for a new connection (515): that is the session's.
 */
export function startPairing(dependencies: Dependencies, request: PairingRequest): PairingAttempt {
  const { clock, versions } = dependencies;
  const { linkId } = request;
  const inTurn = createKeyedQueue();
  const { browser } = dependencies.connectionSettingsFor(request.phone);
  let sock: WASocket | undefined;
  let pause: Timer | undefined;
  let rotation: QrRotation | undefined;
  let ceremony: Ceremony | undefined;
  /** Of a device that the phone shows from now on. */
  let agreed: AuthenticationCreds | undefined;
  let failures = 0;
  let codesAsked = 0;
  let shownVersion = versions.current();
  let isUpdated = false;
  let over = false;

  function tell(progress: PairingProgress): void {
    if (over) return;
    if (progress.kind === 'paired' || progress.kind === 'failed') over = true;
    request.onProgress(progress);
  }

  function connect(creds: AuthenticationCreds): WASocket {
    const connection = dependencies.connectionSettingsFor(request.phone);
    shownVersion = connection.version;
    const made = openSocket({
      linkId,
      auth: { creds, keys: createMemoryKeys() },
      connection,
      media: dependencies.mediaFor(request.phone),
      caches: dependencies.caches,
      log: dependencies.log,
      logger: dependencies.libraryLog,
      qrTimeout: LIBRARY_QR_LIFE_MS,
    });
    sock = made;
    return made;
  }

  function register(): void {
    if (over) return;
    const creds = initAuthCreds();
    const ownSecret = creds.advSecretKey;
    const mine = connect(creds);
    let refs: readonly string[] = [];
    let hasShown = false;
    mine.ws.on(REFS_GIVEN, (stanza) => {
      refs = refsIn(stanza);
    });
    keepBeforeAgreeing(mine, creds, (kept) => keep(mine, kept));
    ceremony = attendToPasskey({
      sock: mine,
      creds,
      deviceType: deviceTypeOf(browser),
      clock,
      random: dependencies.random,
      // A QR carries the secret; a code makes both sides agree upon one, unless the phone leaves it out.
      isSecretShared: () => request.method === 'qr' || creds.advSecretKey !== ownSecret,
      tell,
      fail,
      onAsked: () => rotation?.stop(),
    });
    mine.ev.on('connection.update', ({ qr, isNewLogin, connection, lastDisconnect }) => {
      if (sock !== mine || over) return;
      // The library shows the first one only; by then the others are known.
      if (qr !== undefined) {
        hasShown = true;
        failures = 0;
        show(mine, creds, refs);
      }
      if (isNewLogin) {
        agreed = creds;
        ceremony?.stop();
        pause = clock.after(FAREWELL_MS, () => endInOrder(mine));
      }
      if (connection !== 'close') return;
      stopTimers();
      if (agreed) finish(creds).catch(failedWith(NOT_KEPT));
      else if (ceremony?.isUnderWay) fail(LOST_OVER_PASSKEY);
      else tryAgain(lastDisconnect?.error, hasShown);
    });
  }

  function show(mine: WASocket, creds: AuthenticationCreds, refs: readonly string[]): void {
    const isByCode = request.method === 'code';
    if (isByCode) askForCode(mine, creds).catch(failedWith(NO_CODE));
    rotation = rotateQrs({
      refs,
      creds,
      browser,
      clock,
      show: (qr, expiresAt) => isByCode || tell({ kind: 'qr', qr, expiresAt }),
      // A code, too, is good for as long as the QRs of its connection.
      onUsedUp: () => endInOrder(mine),
    });
  }

  /**
   * One after the other: a connection that was lost while its link was kept takes that back, and must not take back the one that the
   * phone agrees to on the next.
   */
  function keep(mine: WASocket, creds: AuthenticationCreds): Promise<boolean> {
    return inTurn(linkId, () => keepUnlessLost(mine, creds));
  }

  /** False when nobody wants the link any more. */
  async function keepUnlessLost(mine: WASocket, creds: AuthenticationCreds): Promise<boolean> {
    const isWanted = (): boolean => sock === mine && !over;
    if (!isWanted()) return false;
    try {
      await storeLink(dependencies.vaults, linkId, creds);
    } catch (error) {
      failedWith(NOT_KEPT)(error);
    }
    if (isWanted()) return true;
    await dependencies.vaults.links.forget(linkId);
    return false;
  }

  async function askForCode(mine: WASocket, creds: AuthenticationCreds): Promise<void> {
    codesAsked += 1;
    if (codesAsked > MOST_CODES) return fail(NO_CODE);
    const code = await requestPairingCode(mine, {
      creds,
      phone: request.phone,
      random: dependencies.random,
    }).catch((error: unknown) => {
      if (error instanceof NoCode) fail(error.message);
    });
    // A connection that ended meanwhile is made anew, and asks again.
    if (code !== undefined && sock === mine) tell({ kind: 'code', code });
  }

  /** The codes of a connection are used up after some minutes; then, and after a lost connection, a new one is made. */
  function tryAgain(error: unknown, hadShown: boolean): void {
    const disconnect = classifyDisconnect(error);
    if (!hadShown) failures += 1;
    if (disconnect.kind === 'refused') tryAsAnother(disconnect).catch(failedWith(disconnect.detail));
    else if (failures >= MOST_FAILURES)
      fail(disconnect.kind === 'lost' ? disconnect.detail : 'The network refused to link.');
    else if (hadShown) register();
    else pause = clock.after(PAUSE_MS, register);
  }

  /** A client that is refused for its age may be another one by now; for anything else, and the second time, there is no use. */
  async function tryAsAnother({ reason, detail }: Pick<Absence, 'reason' | 'detail'>): Promise<void> {
    const isNew = reason === 'client_outdated' && !isUpdated && (await versions.refused(shownVersion));
    isUpdated = true;
    if (isNew) register();
    else fail(detail);
  }

  async function finish(creds: AuthenticationCreds): Promise<void> {
    const { id = '', lid, name } = creds.me ?? {};
    if (digitsOf(id) !== request.phone) {
      await unlink(creds);
      await dependencies.vaults.links.forget(linkId);
      return fail('Another number answered; scan with the phone of the number to be linked.');
    }
    tell({
      kind: 'paired',
      sessionId: id,
      ...(lid ? { lid: accountOf(lid) } : {}),
      ...(name ? { pushName: name } : {}),
    });
  }

  /** A phone must not go on showing a device that is none. Resolves when that is done, or cannot be. */
  async function unlink(creds: AuthenticationCreds): Promise<void> {
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    const mine = connect(creds);
    mine.ev.on('connection.update', ({ connection }) => {
      if (connection === 'open')
        mine.logout().catch((error: unknown) => {
          unlessCutOff('a phone could not be told of a device that is none')(error);
          resolve();
        });
      if (connection === 'close') resolve();
    });
    await waitAtMost(clock, UNLINK_PATIENCE_MS, gone);
    endInOrder(mine);
  }

  function fail(reason: string, cause?: PasskeyFailure): void {
    tell({ kind: 'failed', reason, ...(cause && { cause }) });
    letGo();
  }

  /** For `catch`: what went wrong is told to the log, and the reason to whoever links. */
  function failedWith(reason: string): (error: unknown) => void {
    return (error) => {
      dependencies.log.warn({ linkId, ...withoutWords(error) }, 'a pairing failed');
      fail(reason);
    };
  }

  function endInOrder(mine: WASocket): void {
    mine.end(undefined).catch(unlessCutOff('a connection could not be ended in order'));
  }

  function letGo(): void {
    const gone = sock;
    sock = undefined;
    stopTimers();
    if (gone) endInOrder(gone);
  }

  function stopTimers(): void {
    pause?.cancel();
    rotation?.stop();
    ceremony?.stop();
  }

  register();

  return {
    answerPasskey: (credential) => ceremony?.answerPasskey(credential),
    confirm: () => ceremony?.confirm(),
    async cancel() {
      if (over) return;
      over = true;
      letGo();
      if (!agreed) return;
      await unlink(agreed);
      await dependencies.vaults.links.forget(linkId);
    },
  };
}
