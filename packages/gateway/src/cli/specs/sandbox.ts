import type { CommandSpec } from '../command.ts';

/** What is done with virtual phones. */

export const SANDBOX_PHONES = {
  name: 'sandbox phones',
  help: 'list the virtual phones',
  talksTo: 'operator',
} as const satisfies CommandSpec;

export const SANDBOX_PHONE = {
  name: 'sandbox phone',
  help: 'make a virtual phone',
  talksTo: 'operator',
  arguments: [
    { name: 'phone', help: 'its number' },
    { name: 'name', help: 'of whoever holds it', optional: true },
  ],
  options: { 'auto-read': { help: 'it reads every message at once' } },
  examples: ['parley sandbox phone 15550003001 Nina'],
} as const satisfies CommandSpec;

export const SANDBOX_SCAN = {
  name: 'sandbox scan',
  help: 'link a number: scan a QR with a virtual phone, or type a code into it',
  talksTo: 'operator',
  arguments: [
    { name: 'phone', help: 'whose phone' },
    {
      name: 'qr',
      help: 'what parley pair --json shows as qr or code; - or nothing reads it from standard input',
      optional: true,
    },
  ],
} as const satisfies CommandSpec;

export const SANDBOX_REPLY = {
  name: 'sandbox reply',
  help: 'write a message with a virtual phone',
  talksTo: 'operator',
  arguments: [
    { name: 'phone', help: 'who writes' },
    { name: 'to', help: 'number or JID of a person or group' },
    { name: 'text', help: 'the words; - reads them from standard input' },
  ],
  examples: ['parley sandbox reply 15550002001 15550001001 "Is it ready?"'],
} as const satisfies CommandSpec;

export const SANDBOX_MESSAGES = {
  name: 'sandbox messages',
  help: 'show what a virtual phone has got and sent',
  talksTo: 'operator',
  arguments: [{ name: 'phone', help: 'whose phone' }],
} as const satisfies CommandSpec;
