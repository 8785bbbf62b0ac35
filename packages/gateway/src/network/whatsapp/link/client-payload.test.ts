import { type proto as Proto, proto } from 'baileys';
import { expect, test, vi } from 'vitest';
import { bytesIn, fieldsOf } from '../convert/protobuf.ts';
import { connected, link, online, useWire, WAIT } from '../testing/people.ts';

const setUp = useWire();

const { Platform, ReleaseChannel } = proto.ClientPayload.UserAgent;
const { ConnectReason, ConnectType } = proto.ClientPayload;
const { WebSubPlatform } = proto.ClientPayload.WebInfo;
const HISTORY_SYNC_CONFIG = 5;

/** Fields as they were sent: the decoder adds defaults of its own. */
const sent = (message: object): object => JSON.parse(JSON.stringify(message));

function propsIn({ devicePairingData }: Proto.IClientPayload): Uint8Array {
  return devicePairingData?.deviceProps ?? new Uint8Array();
}

test('registers with the fields that a browser sends', async () => {
  const harness = await setUp();
  await link(harness);
  const [payload = {}] = harness.clients;
  // The decoder adds the empty list.
  const { userAgent, devicePairingData: _, shards: __, ...head } = payload;
  expect(head).toEqual({
    ...{ connectType: ConnectType.WIFI_UNKNOWN, connectReason: ConnectReason.USER_ACTIVATED },
    ...{ passive: false, pull: false },
    webInfo: expect.objectContaining({ webSubPlatform: WebSubPlatform.WEB_BROWSER }),
  });
  expect({ ...userAgent }).toEqual({
    ...{
      platform: Platform.WEB,
      releaseChannel: ReleaseChannel.RELEASE,
      device: 'Desktop',
      manufacturer: '',
    },
    ...{ mcc: '000', mnc: '000', osVersion: '0.1', osBuildNumber: '0.1' },
    ...{ localeLanguageIso6391: 'en', localeCountryIso31661Alpha2: 'US' },
    appVersion: expect.objectContaining({ primary: 2, secondary: 3_000 }),
  });
  const props = proto.DeviceProps.decode(propsIn(payload));
  expect(sent(props)).toEqual({
    ...{ os: 'Parley', platformType: 'CHROME', requireFullSync: false },
    historySyncConfig: {
      storageQuotaMb: expect.any(Number),
      inlineInitialPayloadInE2EeMsg: true,
      supportCallLogHistory: true,
      supportBotUserAgentChatHistory: true,
      supportCagReactionsAndPolls: true,
      supportBizHostedMsg: true,
      supportRecentSyncChunkMessageCountTuning: true,
      supportHostedGroupMsg: true,
      supportFbidBotChatHistory: true,
      supportMessageAssociation: true,
      supportGroupHistory: true,
      thumbnailSyncDaysLimit: 60,
    },
  });
  // The constant of the library.
  expect(props.historySyncConfig?.storageQuotaMb).not.toBe(10_240);
  // Support for the history of Manus and of Hatch, which the library's schema lacks; each field once, in order.
  const history = bytesIn(propsIn(payload), HISTORY_SYNC_CONFIG) ?? new Uint8Array();
  const fields = [...fieldsOf(history)];
  expect(fields.slice(-2)).toEqual([
    { field: 21, value: 1 },
    { field: 22, value: 1 },
  ]);
  expect(fields.map(({ field }) => field)).toEqual([3, 4, 6, 7, 8, 9, 10, 11, 12, 14, 15, 19, 21, 22]);
  expect([...fieldsOf(propsIn(payload))].map(({ field }) => field)).toEqual([1, 3, 4, 5]);
});

test.each([
  ['Mac OS', { primary: 10, secondary: 15, tertiary: 7 }],
  ['Windows', { primary: 10 }],
  ['Linux', undefined],
])('names the version of %s as its browsers do', async (deviceName, version) => {
  const harness = await setUp({ settings: { deviceName } });
  await link(harness);
  const { os, version: named } = proto.DeviceProps.decode(propsIn(harness.clients[0] ?? {}));
  expect({ os, version: named ? sent(named) : undefined }).toEqual({ os: deviceName, version });
});

test('counts its accepted logins: all of them, and those of the process', async () => {
  const harness = await setUp();
  const logins = () =>
    harness.clients.flatMap(({ devicePairingData, lc, connectAttemptCount, lidDbMigrated }) =>
      devicePairingData ? [] : [[lc, connectAttemptCount, lidDbMigrated]],
    );
  const me = await online(harness);
  expect(logins()).toEqual([[0, 0, true]]);
  me.session.reconnect();
  await vi.waitFor(() => expect(logins()).toHaveLength(2), WAIT);
  await vi.waitFor(() => expect(me.session.state.kind).toBe('connected'), WAIT);
  expect(logins()).toEqual([
    [0, 0, true],
    [1, 1, true],
  ]);
  await me.session.close();
  await harness.crash();
  await connected(harness, 2);
  expect(logins().slice(2)).toEqual([[2, 0, true]]);
});
