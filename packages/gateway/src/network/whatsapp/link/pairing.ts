import { type AuthenticationCreds, initAuthCreds, type WASocket } from 'baileys';
import { createKeyedQueue, type Timer, waitAtMost } from '#kernel';
import type {
  OfflinePeriod,
  PairingAttempt,
  PairingProgress,
  PairingRequest,
  PasskeyFailure,
} from '../../port.ts';
import { accountOf, digitsOf } from '../convert/index.ts';
import type { Dependencies } from '../dependencies.ts';
import { unlessCutOff, withoutWords } from '../errors.ts';
import { storeLink } from '../vault/index.ts';
import { keepBeforeAgreeing } from './agreement.ts';
import { classifyDisconnect } from './disconnect.ts';
import { NoCode, requestPairingCode } from './pairing-code.ts';
import { type Ceremony, handlePasskeyCeremony } from './passkey/ceremony.ts';
import {
  acknowledgeBeforeLogin,
  LIBRARY_QR_LIFE_MS,
  onRegistrationRefresh,
  type QrRotation,
  REFS_GIVEN,
  refsIn,
  rotateQrs,
} from './qr-rotation.ts';
import { createMemoryKeys, deviceTypeOf, openSocket } from './socket.ts';

const SECRET_BYTES = 32;
const MOST_FAILURES = 3;
const PAUSE_MS = 2_000;
/** Time for the network to close the connection after the phone has agreed. */
const CLOSE_TIMEOUT_MS = 5_000;
const UNLINK_PATIENCE_MS = 10_000;
/** The network counts codes; a code lives as long as its connection, some minutes. */
const MOST_CODES = 4;
const NO_CODE = 'The network gave no pairing code.';
const NOT_KEPT = 'The link could not be kept.';
const LOST_OVER_PASSKEY = 'The connection to the network was lost while the passkey was used; start again.';

/**
 * One attempt to link a number:
 *
 *     registering ──qr, code──▶ waiting ──the phone agrees──▶ kept ──confirmed to the network──▶ linked ──the socket closes──▶ paired
 *         ▲                      │   │                          ▲                                  │
 *         └──── codes used up ───┘   └──guarded by a passkey────┘ passkey/ceremony.ts              ├──another number──▶ unlinking ──▶ failed
 *                                                                                                  └──cancelled───────▶ unlinking
 *
 * The credentials are in memory until the phone has agreed, and are stored before the network gets the
 * confirmation. An attempt that ends or crashes earlier leaves nothing behind; one that crashes later leaves
 * what is needed to unlink it. Every registration starts with fresh credentials: the library writes the number
 * into them when it requests a code, before the phone has agreed, and a second connection would then try to log
 * in. After the agreement the network asks for a new connection (515), which the session makes.
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
  /** Credentials of a device that the phone lists from now on. */
  let agreed: AuthenticationCreds | undefined;
  let failures = 0;
  let codesAsked = 0;
  let shownVersion = versions.current();
  let isUpdated = false;
  let over = false;

  function report(progress: PairingProgress): void {
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
      drift: dependencies.drift,
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
    acknowledgeBeforeLogin(mine, creds);
    onRegistrationRefresh(mine, () => {
      // A code's secret is agreed with the phone, and the one of a passkey has never been shown.
      if (sock !== mine || agreed || request.method === 'code' || ceremony?.isUnderWay) return;
      creds.advSecretKey = Buffer.from(dependencies.random.bytes(SECRET_BYTES)).toString('base64');
      rotation?.refresh();
    });
    keepBeforeAgreeing(mine, creds, (kept) => keep(mine, kept));
    ceremony = handlePasskeyCeremony({
      sock: mine,
      creds,
      deviceType: deviceTypeOf(browser),
      clock,
      random: dependencies.random,
      // A QR carries the secret. With a code both sides derive one, unless the phone leaves it out.
      isSecretShared: () => request.method === 'qr' || creds.advSecretKey !== ownSecret,
      report,
      fail,
      onAsked: () => rotation?.stop(),
    });
    mine.ev.on('connection.update', ({ qr, isNewLogin, connection, lastDisconnect }) => {
      if (sock !== mine || over) return;
      // The library emits only the first QR; the others are known by then.
      if (qr !== undefined) {
        hasShown = true;
        failures = 0;
        show(mine, creds, refs);
      }
      if (isNewLogin) {
        agreed = creds;
        ceremony?.stop();
        pause = clock.after(CLOSE_TIMEOUT_MS, () => endInOrder(mine));
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
      show: (qr, expiresAt) => isByCode || report({ kind: 'qr', qr, expiresAt }),
      // A code is valid as long as the QRs of its connection.
      onUsedUp: () => endInOrder(mine),
    });
  }

  /**
   * Serialized: a connection that is lost while its link is stored deletes that link, and must not delete the
   * link of the next connection.
   */
  function keep(mine: WASocket, creds: AuthenticationCreds): Promise<boolean> {
    return inTurn(linkId, () => keepUnlessLost(mine, creds));
  }

  /** False when the link is no longer wanted. */
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
    // A connection that ended meanwhile is replaced, and requests its own code.
    if (code !== undefined && sock === mine) report({ kind: 'code', code });
  }

  /** Starts a new connection when the codes of the last one are used up, after some minutes, or when it was lost. */
  function tryAgain(error: unknown, hadShown: boolean): void {
    const disconnect = classifyDisconnect(error);
    if (!hadShown) failures += 1;
    if (disconnect.kind === 'refused') tryAsAnother(disconnect).catch(failedWith(disconnect.detail));
    else if (failures >= MOST_FAILURES)
      fail(disconnect.kind === 'lost' ? disconnect.detail : 'The network refused to link.');
    else if (hadShown) register();
    else pause = clock.after(PAUSE_MS, register);
  }

  /**
   * Retries once with a newer client version when the current one is refused as outdated; any other refusal ends
   * the attempt.
   */
  async function tryAsAnother({ reason, detail }: Pick<OfflinePeriod, 'reason' | 'detail'>): Promise<void> {
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
    report({
      kind: 'paired',
      sessionId: id,
      ...(lid ? { lid: accountOf(lid) } : {}),
      ...(name ? { pushName: name } : {}),
    });
  }

  /** Removes the device from the phone's list. Resolves when that is done or has failed. */
  async function unlink(creds: AuthenticationCreds): Promise<void> {
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    const mine = connect(creds);
    mine.ev.on('connection.update', ({ connection }) => {
      if (connection === 'open')
        mine.logout().catch((error: unknown) => {
          unlessCutOff('an abandoned device could not be unlinked from its phone')(error);
          resolve();
        });
      if (connection === 'close') resolve();
    });
    await waitAtMost(clock, UNLINK_PATIENCE_MS, gone);
    endInOrder(mine);
  }

  function fail(reason: string, cause?: PasskeyFailure): void {
    report({ kind: 'failed', reason, ...(cause && { cause }) });
    letGo();
  }

  /** Handler for `catch`: logs the error and reports `reason` to the caller. */
  function failedWith(reason: string): (error: unknown) => void {
    return (error) => {
      dependencies.log.warn({ linkId, ...withoutWords(error) }, 'a pairing failed');
      fail(reason);
    };
  }

  function endInOrder(mine: WASocket): void {
    mine.end(undefined).catch(unlessCutOff('a connection could not be closed'));
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
