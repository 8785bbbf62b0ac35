import { describe, expect, it } from 'vitest';
import { readyCommand } from './curl.ts';

const ORIGIN = 'https://gateway.example.com';
const ADA = linked('15550001001');
const BEN = linked('15550001002');
const UNLINKED = { phone: '15550001003', session: null };

function linked(phone: string) {
  const session = {
    session_id: `${phone}:1@s.whatsapp.net`,
    phone,
    status: 'connected' as const,
    since_unix: 0,
  };
  return { phone, session };
}

function key(phone: string | null, permissions: ('messages' | 'sessions' | 'groups')[]) {
  return { api_key: 'pk_1_secret', phone, permissions };
}

describe('the command beside a new key', () => {
  it('sends from the first number that is linked', () => {
    const { command } = readyCommand(ORIGIN, key(null, ['messages', 'sessions']), [UNLINKED, ADA, BEN]) ?? {};
    expect(command).toContain(`curl -sS ${ORIGIN}/v1/messages`);
    expect(command).toContain("-H 'Authorization: Bearer pk_1_secret'");
    expect(command).toContain('"session_id":"15550001001:1@s.whatsapp.net","to":"15550001001"');
  });

  it('sends from the number that the key is for', () => {
    const { command } = readyCommand(ORIGIN, key(BEN.phone, ['messages']), [ADA, BEN]) ?? {};
    expect(command).toContain('15550001002:1@s.whatsapp.net');
  });

  it('asks for the sessions where nothing can be sent', () => {
    expect(readyCommand(ORIGIN, key(null, ['messages', 'sessions']), [UNLINKED])?.command).toContain(
      '/v1/sessions',
    );
    expect(readyCommand(ORIGIN, key(null, ['sessions']), [ADA])?.command).toContain('/v1/sessions');
  });

  it('is missing when the key may do neither', () => {
    expect(readyCommand(ORIGIN, key(null, ['groups']), [ADA])).toBeUndefined();
    expect(readyCommand(ORIGIN, key(UNLINKED.phone, ['messages']), [ADA])).toBeUndefined();
  });
});
