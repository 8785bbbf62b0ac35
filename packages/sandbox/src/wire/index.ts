import { createCodecs } from '@parley/codecs';
import { muteLibsignal, useCheaperSignal } from '@parley/signal';
import type { proto } from 'baileys';
import type { PairingService, SessionId, World } from '../world/index.ts';
import { createAddressBook } from './app-state/address-book.ts';
import { createChatStatePublisher } from './app-state/chat-states.ts';
import { createCollections } from './app-state/collections.ts';
import { createAccountSettings } from './app-state/settings.ts';
import { createGuardedLogins } from './login/guarded-logins.ts';
import { createHistory } from './login/history.ts';
import { createInitialSync } from './login/initial-sync.ts';
import { createLoginHandler } from './login/login-handler.ts';
import { createLoginInfo } from './login/login-info.ts';
import { openSession } from './login/session.ts';
import { createVersionGate } from './login/version-gate.ts';
import { createBlobs } from './media/blobs.ts';
import { createBrokenDownloads } from './media/broken-downloads.ts';
import { createMediaCredentials } from './media/credentials.ts';
import { createMediaStore } from './media/media-store.ts';
import { createPictures } from './media/pictures.ts';
import { startMediaServer } from './media/server.ts';
import { issueTlsIdentity, readTlsAuthority } from './media/tls-identity.ts';
import { createForwarding } from './messages/forwarding.ts';
import { createPeerMessages } from './messages/peer-messages.ts';
import { createMessageWriter } from './messages/writer.ts';
import type { Network, Session } from './network.ts';
import { createPairingService, type WirePairingService } from './pairing/pairing-service.ts';
import { type Clock, type Log, type Random, silentLog, unixSeconds } from './ports.ts';
import { createReach } from './reach.ts';
import { readServerIdentity } from './server-identity.ts';
import { createPhoneCiphers } from './signal/cipher.ts';
import { createCompanions } from './signal/companions.ts';
import { createDeviceLists } from './signal/device-lists.ts';
import { createOutbox } from './signal/outbox.ts';
import { createPhoneKeyring } from './signal/phone-keys.ts';
import { createSealer } from './signal/sealing.ts';
import { createContentContexts } from './stanzas/content-contexts.ts';
import { createHandlers } from './stanzas/index.ts';
import { fewPreKeysLeft } from './stanzas/keys.ts';
import { createNewsWriter } from './stanzas/news.ts';
import type { Node } from './transport/nodes.ts';
import { startChatServer } from './transport/server.ts';

export type { Log } from './ports.ts';

export interface WireOptions {
  readonly world: World;
  readonly clock: Clock;
  readonly random: Random;
  /** Where the servers listen. */
  readonly host?: string;
  /** Name for clients, where that differs. */
  readonly announcedHost?: string | undefined;
  /** 0 takes a free port. */
  readonly port?: number;
  /** One for each media server; two free ones unless given. */
  readonly mediaPorts?: readonly number[];
  readonly log?: Log;
  /**
   * For tests of clients: gets each stanza of a linked device first. A stanza for which it returns true is not handled by the
   * network; `say` may answer it.
   */
  readonly intercept?: (stanza: Node, sessionId: SessionId) => boolean;
  /** For tests of clients: gets what each of them introduces itself with. */
  readonly onClient?: (payload: proto.IClientPayload) => void;
}

export interface Wire {
  /** Where a client connects. Official clients read the current version on the same server: `GET /` and `GET /sw.js`. */
  readonly url: string;
  /** The root key of the certificate chain in the handshake; constant across restarts. */
  readonly rootPublicKey: Uint8Array;
  /** The certificate authority of the HTTPS addresses for uploads and downloads. */
  readonly mediaCaPem: string;
  /**
   * `host:port` of the first of those addresses. Clients that do not ask for it download history and app state from `mmg.whatsapp.net`: resolve
   * that name to this host.
   */
  readonly mediaHost: string;
  /** `host:port` of all of them. */
  readonly mediaHosts: readonly string[];
  /** A client has asked for the network by this host name or address. */
  reachedBy(host: string): void;
  readonly pairing: Pick<WirePairingService, keyof PairingService | 'unacknowledged'>;
  /** Sends a stanza to a connected device, as if from the network, for tests of clients. */
  say(sessionId: SessionId, stanza: Node): void;
  stop(): Promise<void>;
}

/** Serves a world over the WhatsApp Web protocol, for unmodified clients. */
export async function startWire(options: WireOptions): Promise<Wire> {
  const {
    world,
    clock,
    random,
    host = '127.0.0.1',
    announcedHost: announced,
    port = 0,
    mediaPorts = [0, 0],
    log = silentLog,
  } = options;
  const { intercept = () => false, onClient = () => {} } = options;
  // closes what has started when a later step fails
  await using starting = new AsyncDisposableStack();
  starting.defer(muteLibsignal());
  useCheaperSignal();
  const keyring = createPhoneKeyring({ world, random });
  const online = new Map<SessionId, Session>();
  const companions = createCompanions({
    world,
    onFewPreKeys: (sessionId, left) => online.get(sessionId)?.send(fewPreKeysLeft(left, unixSeconds(clock))),
  });
  const network: Network = {
    world,
    clock,
    random,
    log,
    keyring,
    ciphers: createPhoneCiphers({ world, keyring }),
    companions,
    deviceLists: createDeviceLists({ world, clock, keyring, companions }),
    online,
  };
  const authority = readTlsAuthority(world.vault, random);
  const issueTls = () => issueTlsIdentity(authority, reach.names, random);
  const onLearned = () => media.use(issueTls());
  const reach = createReach({ vault: world.vault, listening: host, announced, onLearned });
  const broken = createBrokenDownloads(world);
  const codecs = createCodecs();
  starting.defer(() => codecs.close());
  const mediaStore = createMediaStore({
    world,
    clock,
    random,
    codecs,
    broken,
    baseUrl: () => `https://${media.hosts()[0]}`,
  });
  const pictures = createPictures({ world, clock, random, codecs, origin: () => chat.origin, log });
  const credentials = createMediaCredentials({ clock, random });
  const media = await startMediaServer({
    host,
    reach,
    ports: mediaPorts,
    tls: issueTls(),
    mediaStore,
    pictures,
    credentials,
    codecs,
    broken,
    isDown: (place) => place < world.standing.rules().brokenMediaHosts,
    log,
  });
  starting.defer(() => media.stop());
  const blobs = createBlobs({ world, mediaStore, random });
  const contexts = createContentContexts(network, mediaStore);
  const outbox = createOutbox(world.vault);
  const sealer = createSealer(network);
  const messages = createMessageWriter({ network, sealer, outbox, contexts });
  const forwarding = createForwarding(network, outbox);
  const collections = createCollections(network);
  const book = createAddressBook({ world, collections });
  const peer = createPeerMessages({ network, sealer, contexts });
  const initialSync = createInitialSync({
    network,
    peer,
    collections,
    book,
    settings: createAccountSettings({ world, collections }),
    history: createHistory({ world, random, blobs, contexts }),
  });
  const loginInfo = createLoginInfo(network);
  const chatStates = createChatStatePublisher({ world, collections });
  const write = createNewsWriter({
    deviceLists: network.deviceLists,
    messages,
    contexts,
    collections,
    book,
    chatStates,
    keyring,
    outbox,
  });
  const handlers = createHandlers({
    network,
    contexts,
    mediaStore,
    collections,
    book,
    blobs,
    pictures,
    clean: loginInfo.clean,
    mediaHosts: media.hosts,
    credentials,
    forwarding,
    peer,
  });
  const forget = (sessionId: SessionId): void => {
    network.companions.forget(sessionId);
    outbox.forget(sessionId);
    broken.forget(sessionId);
    loginInfo.forget(sessionId);
  };
  const pairing = createPairingService({ ...network, forget });
  const guardedLogins = createGuardedLogins(network);
  const identity = readServerIdentity(world.vault);
  const versions = createVersionGate(world, clock);

  const chat = await startChatServer({
    host,
    port,
    reach,
    identity,
    clock,
    log,
    serve: (request, response) => {
      if (!versions.serve(request, response)) pictures.serve(request, response);
    },
    handleLogin: createLoginHandler({
      network,
      onClient,
      versions,
      pairing,
      guardedLogins,
      open(connection, device, passive) {
        const session = openSession({
          network,
          connection,
          device,
          passive,
          outbox,
          forget,
          handlers,
          write,
          rewrite: messages.rewrite,
          forwarding,
          initialSync,
          loginInfo,
        });
        const { receive } = session;
        return {
          ...session,
          receive: (stanza) => (intercept(stanza, device.sessionId) ? undefined : receive(stanza)),
        };
      },
    }),
  });

  starting.defer(() => chat.stop());

  const running = starting.move();
  return {
    get url() {
      return chat.url;
    },
    rootPublicKey: identity.root.public,
    mediaCaPem: authority.caPem,
    get mediaHost() {
      return media.hosts()[0] ?? '';
    },
    get mediaHosts() {
      return media.hosts();
    },
    reachedBy: (name) => reach.learn(name),
    pairing: {
      scan: pairing.scan,
      enterCode: pairing.enterCode,
      guarded: (phone) => pairing.guarded(phone) ?? guardedLogins.guarded(phone),
      get unacknowledged() {
        return pairing.unacknowledged;
      },
    },
    say: (sessionId, stanza) => online.get(sessionId)?.send(stanza),
    stop: () => running.disposeAsync(),
  };
}
