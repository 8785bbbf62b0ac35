import type * as contract from '@parley/contract';
import { describe, expectTypeOf, test } from 'vitest';
import type { Parley } from './client.ts';
import type * as sdk from './index.ts';
import { createWebhookReceiver } from './receiving/receiver.ts';

/** Checked by the compiler (`npm run typecheck`). */
declare const parley: Parley;
const never = (): boolean => false;

describe('generated types', () => {
  test("equal the contract's types", () => {
    expectTypeOf<sdk.Group>().toEqualTypeOf<contract.Group>();
    expectTypeOf<sdk.MessageRecord>().toEqualTypeOf<contract.MessageRecord>();
    expectTypeOf<sdk.Onboarding>().toEqualTypeOf<contract.Onboarding>();
    expectTypeOf<sdk.Delivery>().toEqualTypeOf<contract.Delivery>();
    expectTypeOf<sdk.EventPage>().toEqualTypeOf<contract.EventPage>();
    expectTypeOf<sdk.ParleyEvent>().toEqualTypeOf<contract.PublicEvent>();
    expectTypeOf<sdk.EventKind>().toEqualTypeOf<contract.EventKind>();
    expectTypeOf<contract.SendBody>().toExtend<sdk.SendBody>();
  });
});

describe('sending', () => {
  const from = { session_id: '1@s', to: '15550002001' };

  test('a message has an id, a timer has not', () => {
    if (never()) {
      expectTypeOf(parley.messages.send({ ...from, text: 'hi' }))
        .resolves.toHaveProperty('message_id')
        .toBeString();
      const timer = parley.messages.send({ ...from, type: 'disappearing', disappearing_timer: '24h' });
      expectTypeOf(timer).resolves.toEqualTypeOf<sdk.MessageAccepted>();
      const any: sdk.SendBody = { ...from, text: 'hi' };
      void parley.messages.send(any);
    }
  });

  test('refuses fields of no message kind', () => {
    expectTypeOf({ ...from, type: 'location' as const, latitude: 1 }).not.toExtend<sdk.SendBody>();
    if (never()) {
      // @ts-expect-error a misspelt field
      void parley.messages.send({ ...from, txt: 'hi' });
      // @ts-expect-error a location needs both
      void parley.messages.send({ ...from, type: 'location', latitude: 1 });
      // @ts-expect-error no such timer
      void parley.messages.send({ ...from, type: 'disappearing', disappearing_timer: '1h' });
      // @ts-expect-error an action that does not exist
      void parley.groups.changeParticipants('1@s', 'a@g.us', { participants: [], action: 'ban' });
      // @ts-expect-error only sends have a key
      void parley.groups.list('1@s', { idempotencyKey: 'x' });
    }
  });
});

describe('events', () => {
  test('are typed by the requested kind', () => {
    if (never()) {
      expectTypeOf(parley.events.stream({ kind: 'receipt' })).toExtend<
        AsyncIterable<{ event: contract.EventOf<'receipt'> }>
      >();
      expectTypeOf(parley.events.stream()).toExtend<AsyncIterable<{ event: contract.PublicEvent }>>();
      // @ts-expect-error no such kind
      void parley.events.stream({ kind: 'messages' });
    }
  });

  test('reach handlers with the type of their kind', () => {
    createWebhookReceiver({
      secret: 'whsec_1',
      on: {
        message: (event) => expectTypeOf(event).toEqualTypeOf<contract.EventOf<'message'>>(),
        call: (event) => expectTypeOf(event).toEqualTypeOf<contract.EventOf<'call'>>(),
        any: (event) => expectTypeOf(event).toEqualTypeOf<contract.PublicEvent>(),
      },
    });
  });
});
