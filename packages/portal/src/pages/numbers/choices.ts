import type { PortalNumber } from '@parley/contract';
import { formatPhone } from '../../ui/index.ts';

/** Choices of numbers with their names. */
export function numberChoices(numbers: readonly Pick<PortalNumber, 'phone' | 'nickname'>[]) {
  return numbers.map(({ phone, nickname }) => ({
    value: phone,
    label: nickname === null ? formatPhone(phone) : `${nickname} (${formatPhone(phone)})`,
  }));
}
