/** Files that may wait in real time, with the reason. */
export const PACING: Readonly<Record<string, string>> = {
  'packages/gateway/src/app/alerts.test.ts':
    'makes the gateway slow for real, which is what the alerts are about',
  'packages/gateway/src/platform/bus/nats/nats-bus.test.ts':
    'the clock of NATS is the machine’s, so a call times out by it',
  'packages/gateway/src/kernel/time/clock.test.ts': 'is about the machine’s clock itself',
  'packages/gateway/src/network/testing/conformance/connection.ts':
    'steps its clock no faster than an attempt to connect takes',
  'packages/gateway/src/network/whatsapp/testing/fixture.ts':
    'steps its clock no faster than bytes pass the wire',
  'packages/sdk/src/platform.test.ts': 'is about the machine’s clock itself, whose time is faked there',
  'test/chaos/abuse/attack-process.ts': 'spreads the attempts of an attack',
  'test/chaos/abuse/attacker.ts': 'lets the groups of a new phone arrive',
  'test/chaos/abuse/run.ts': 'attacks, and is quiet, for so long',
  'test/chaos/cluster/faults.ts': 'how long a fault lasts',
  'test/chaos/failover/run.ts': 'how long is talked before a server is lost',
  'test/chaos/group-commit/run.ts': 'how long a process lives before it is killed',
  'test/chaos/journal/run.ts': 'gives what would come twice the time to do so',
  'test/chaos/pacing/interruptions.ts': 'how long a process lives before it is killed',
  'test/chaos/restart/run.ts': 'how long is sent before a restart',
  'test/conformance/webhook-harness.ts': 'waits for as long as Retry-After says',
};
