import { statfsSync } from 'node:fs';
import { proto, type WABrowserDescription } from 'baileys';
import { awaitedLater } from '#kernel';
import type { Vault } from '../vault/index.ts';

/** How a connection introduces its client beyond what the library says of it (docs/adr/0036-what-a-browser-says-of-itself.md). */
export interface Introduction {
  readonly browser: WABrowserDescription;
  /** Storage that a browser on this machine would offer to a page. */
  readonly storageQuotaMb: number;
  /** Absent before the number is linked. */
  readonly logins?: Logins;
}

/** Accepted logins of a link: all of them, and those since its session was opened. */
export interface Logins {
  readonly ever: number;
  readonly here: number;
}

/** Adapts the first message of a connection to what a browser sends. */
export function introduce(payload: proto.IClientPayload, introduction: Introduction): proto.IClientPayload {
  const { devicePairingData: registration, userAgent } = payload;
  const { logins } = introduction;
  return {
    ...payload,
    ...(userAgent && { userAgent: { ...userAgent, manufacturer: '' } }),
    ...(registration && {
      devicePairingData: {
        ...registration,
        deviceProps: devicePropsAs(introduction, registration.deviceProps ?? new Uint8Array()),
      },
    }),
    ...(!registration && {
      lidDbMigrated: true,
      ...(logins && { lc: logins.ever, connectAttemptCount: logins.here }),
    }),
  };
}

/** Systems whose browsers name their version; each names this one, whatever it runs on. Others leave it out. */
const SYSTEM_VERSIONS: Readonly<Record<string, proto.DeviceProps.IAppVersion>> = {
  'Mac OS': { primary: 10, secondary: 15, tertiary: 7 },
  Windows: { primary: 10 },
};

/** Days of thumbnails that a browser keeps. */
const THUMBNAIL_DAYS = 60;

/** Fields that the library's schema lacks, each with wire type 0. */
const SUPPORTS_MANUS_HISTORY = 21 << 3;
const SUPPORTS_HATCH_HISTORY = 22 << 3;
/** `DeviceProps.historySyncConfig`, with wire type 2. */
const HISTORY_SYNC_CONFIG = (5 << 3) | 2;

function devicePropsAs({ browser, storageQuotaMb }: Introduction, encoded: Uint8Array): Uint8Array {
  const { version: _, historySyncConfig, ...props } = proto.DeviceProps.decode(encoded);
  const [system] = browser;
  const version = SYSTEM_VERSIONS[system];
  const history = proto.DeviceProps.HistorySyncConfig.encode({
    ...historySyncConfig,
    storageQuotaMb,
    supportCallLogHistory: true,
    supportGroupHistory: true,
    thumbnailSyncDaysLimit: THUMBNAIL_DAYS,
  })
    .uint32(SUPPORTS_MANUS_HISTORY)
    .bool(true)
    .uint32(SUPPORTS_HATCH_HISTORY)
    .bool(true)
    .finish();
  return proto.DeviceProps.encode({ ...props, ...(version && { version }) })
    .uint32(HISTORY_SYNC_CONFIG)
    .bytes(history)
    .finish();
}

/** Share of a disk that a browser offers to one page. */
const SHARE_OF_DISK = 0.6;
const MB = 1024 * 1024;

export function storageQuotaIn(folder: string): number {
  const { blocks, bsize } = statfsSync(folder);
  return Math.floor((blocks * bsize * SHARE_OF_DISK) / MB);
}

const LOGINS = { kind: 'logins', id: '' };

/** Counts the accepted logins of a link, as clients do. */
export function createLoginCount(vault: () => Pick<Vault, 'commit'>) {
  let logins: Logins = { ever: 0, here: 0 };
  return {
    current: () => logins,
    async recall(opened: Pick<Vault, 'read'>): Promise<void> {
      const ever = (await opened.read(LOGINS.kind, [LOGINS.id])).get(LOGINS.id);
      if (typeof ever === 'number') logins = { ...logins, ever };
    },
    accepted(): void {
      logins = { ever: logins.ever + 1, here: logins.here + 1 };
      // A failed commit ends the session with its own error.
      awaitedLater(vault().commit({ puts: [{ ...LOGINS, value: logins.ever }] }));
    },
  };
}
