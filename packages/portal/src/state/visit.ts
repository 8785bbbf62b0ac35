import { ERRORS, RIGHTS_OF_ROLE, type Right } from '@parley/contract';
import { signal } from '@preact/signals';
import {
  type Answer,
  asProblem,
  call,
  joinTabs,
  type Problem,
  watchChanges,
  watchRefusals,
} from '../api/index.ts';
import { inBackground } from '../kernel/background.ts';

/** Who is at the door: what the gateway offers, and who has come in with this browser. */
export const entrance = signal<Answer<'getEntrance'> | undefined>(undefined);
/** The owner who is signed in; undefined while nobody is, or before the gateway has said who. */
export const me = signal<Answer<'getMe'> | undefined>(undefined);
/** Why neither is known. */
export const visitProblem = signal<Problem | undefined>(undefined);

/** What the role of whoever is signed in allows. The gateway asks for itself; this spares them a refusal. */
export function may(right: Right): boolean {
  const { role } = me.value ?? {};
  return role !== undefined && RIGHTS_OF_ROLE[role].includes(right);
}

/** Finds out who is signed in. */
export async function lookAround(): Promise<void> {
  try {
    const found = await call('getEntrance');
    me.value = found.signed_in.owner ? await call('getMe') : undefined;
    entrance.value = found;
    visitProblem.value = undefined;
  } catch (thrown) {
    visitProblem.value = asProblem(thrown);
  }
}

export async function signOut(): Promise<void> {
  await call('signOut');
  leave('owner');
}

export async function signOutEverywhere(): Promise<void> {
  await call('signOutEverywhere');
  leave('owner');
}

export async function signOutAsOperator(): Promise<void> {
  await call('signOutAsOperator');
  leave('operator');
}

function leave(who: 'owner' | 'operator'): void {
  const known = entrance.value;
  if (known) entrance.value = { ...known, signed_in: { ...known.signed_in, [who]: false } };
  if (who === 'owner') me.value = undefined;
}

const REFUSALS: Readonly<Record<string, () => void>> = {
  [ERRORS.sign_in_required.text]: () => leave('owner'),
  [ERRORS.operator_token_invalid.text]: () => leave('operator'),
  [ERRORS.tos_not_accepted.text]: () => inBackground(lookAround()),
  [ERRORS.account_suspended.text]: () => inBackground(lookAround()),
  [ERRORS.email_not_verified.text]: () => inBackground(lookAround()),
  [ERRORS.role_lacks_right.text]: () => inBackground(lookAround()),
};

/** A visit can end at any moment: it expires, another tab signs out, the operator suspends the account or publishes new terms. */
export function followRefusals(): void {
  watchRefusals((problem, id) => {
    if (id !== 'signInAsOperator') REFUSALS[problem.message]?.();
  });
}

/** What begins or ends a visit, or changes who one is. */
const VISITS: ReadonlySet<string> = new Set([
  'signIn',
  'signUp',
  'signOut',
  'signOutEverywhere',
  'signInAsOperator',
  'signOutAsOperator',
  'acceptInvitation',
  'verifyEmail',
  'recoverPassword',
  'leaveAccount',
  'acceptTerms',
  'changePassword',
]);

/** What the sandbox phones ask all the time, through one operation whatever it is. */
const SILENT = 'useSandbox';

/** A change in one tab is seen in the others, and who signs out in one has signed out in all. */
export function followTabs(): void {
  const tabs = joinTabs(VISITS, () => inBackground(lookAround()));
  watchChanges((id) => {
    if (id !== SILENT) tabs.tell(id);
  });
}
