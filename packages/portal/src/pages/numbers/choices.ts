import type { PortalNumber } from '@parley/contract';
import { formatPhone } from '../../ui/index.ts';

/** Numbers to choose from, by the names that they have been given. */
export function numberChoices(numbers: readonly Pick<PortalNumber, 'phone' | 'nickname'>[]) {
  return numbers.map(({ phone, nickname }) => ({
    value: phone,
    label: nickname === null ? formatPhone(phone) : `${nickname} (${formatPhone(phone)})`,
  }));
}
