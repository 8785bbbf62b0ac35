import { type AuthenticationCreds, initAuthCreds, type SignalKeyStore, type WASocket } from 'baileys';
import { type Timer, waitAtMost } from '#kernel';
import type { Absence, PairingAttempt, PairingProgress, PairingRequest } from '../../port.ts';
import { accountOf, digitsOf } from '../convert/index.ts';
import type { Dependencies } from '../dependencies.ts';
import { storeLink } from '../vault/index.ts';
import { classifyDisconnect } from './disconnect.ts';
import { NoCode, requestPairingCode } from './pairing-code.ts';
import { openSocket } from './socket.ts';

/** How long the network lets a QR code live; the first one of a connection is given more time. */
const FIRST_QR_LIFE_MS = 60_000;
const QR_LIFE_MS = 20_000;
/** The library shows the next code by the machine's time; when ours is ahead of that, a new connection brings one. */
const QR_OVERDUE_MS = 500;
const MOST_FAILURES = 3;
const PAUSE_MS = 2_000;
/** For the network to close the connection after the phone has agreed. */
const FAREWELL_MS = 5_000;
const UNLINK_PATIENCE_MS = 10_000;
/** The network counts them, and a code lives as long as its connection: some minutes. */
const MOST_CODES = 4;
const NO_CODE = 'The network gave no pairing code.';

/**
 * One attempt to link a number:
 *
 *     registering ──qr, code──▶ waiting ──the phone agrees──▶ linked ──the socket closes──▶ paired
 *         ▲                        │                             │
 *         └──── codes used up ─────┘                             ├──another number──▶ unlinking ──▶ failed
 *                                                                └──cancelled───────▶ unlinking
 *
 * The credentials live in memory until the phone has agreed; an attempt that ends before leaves nothing behind. Every registration starts
 * from fresh ones, because the library writes the number into them when it asks for a code, before anybody has agreed, and a second
 * connection would then try to log in. After the agreement the network asks for a new connection (515): that is the session's.
 */
export function startPairing(dependencies: Dependencies, request: PairingRequest): PairingAttempt {
  const { clock, versions } = dependencies;
  const { linkId } = request;
  let sock: WASocket | undefined;
  let pause: Timer | undefined;
  let expiry: Timer | undefined;
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
      logger: dependencies.libraryLog,
    });
    sock = made;
    return made;
  }

  function register(): void {
    if (over) return;
    const creds = initAuthCreds();
    const mine = connect(creds);
    let shown = 0;
    mine.ev.on('connection.update', ({ qr, isNewLogin, connection, lastDisconnect }) => {
      if (sock !== mine || over) return;
      if (qr !== undefined) {
        shown += 1;
        failures = 0;
        show(mine, creds, qr, shown);
      }
      if (isNewLogin) {
        agreed = creds;
        pause = clock.after(FAREWELL_MS, () => void mine.end(undefined));
      }
      if (connection !== 'close') return;
      stopTimers();
      if (agreed) finish(creds).catch(() => fail('The link could not be kept.'));
      else tryAgain(lastDisconnect?.error, shown > 0);
    });
  }

  function show(mine: WASocket, creds: AuthenticationCreds, qr: string, shown: number): void {
    if (request.method === 'qr') {
      const life = shown === 1 ? FIRST_QR_LIFE_MS : QR_LIFE_MS;
      tell({ kind: 'qr', qr, expiresAt: clock.now() + life });
      expiry?.cancel();
      expiry = clock.after(life + QR_OVERDUE_MS, () => void mine.end(undefined));
    } else if (shown === 1) {
      askForCode(mine, creds).catch(() => fail(NO_CODE));
    }
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
    if (disconnect.kind === 'refused') void tryAsAnother(disconnect);
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
      return fail('Another number answered; scan with the phone of the number to be linked.');
    }
    await storeLink(dependencies.vaults, linkId, creds);
    if (over) return dependencies.vaults.links.forget(linkId);
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
      if (connection === 'open') mine.logout().catch(() => resolve());
      if (connection === 'close') resolve();
    });
    await waitAtMost(clock, UNLINK_PATIENCE_MS, gone);
    void mine.end(undefined);
  }

  function fail(reason: string): void {
    tell({ kind: 'failed', reason });
    letGo();
  }

  function letGo(): void {
    const gone = sock;
    sock = undefined;
    stopTimers();
    void gone?.end(undefined);
  }

  function stopTimers(): void {
    pause?.cancel();
    expiry?.cancel();
  }

  register();

  return {
    answerPasskey() {},
    confirm() {},
    async cancel() {
      if (over) return;
      over = true;
      letGo();
      if (agreed) await unlink(agreed);
    },
  };
}

/** Keys of a connection that leaves nothing behind. */
export function createMemoryKeys(): SignalKeyStore {
  const kept = new Map<string, unknown>();
  return {
    get(kind, ids) {
      const found = ids.flatMap((id) => {
        const value = kept.get(`${kind}/${id}`);
        return value === undefined ? [] : [[id, value] as const];
      });
      // The library names the type of each kind; what lies here was put here by itself.
      return Object.fromEntries(found) as never;
    },
    set(data) {
      for (const [kind, values] of Object.entries(data)) {
        for (const [id, value] of Object.entries(values ?? {})) {
          if (value === null) kept.delete(`${kind}/${id}`);
          else kept.set(`${kind}/${id}`, value);
        }
      }
    },
  };
}
