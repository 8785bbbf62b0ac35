import type { Right } from '@parley/contract';
import type { ComponentType } from 'preact';
import type { IconName } from '../ui/index.ts';

export interface PageEntry {
  /** Pattern of preact-iso: `/portal/numbers/:phone`. */
  readonly path: string;
  readonly audience: 'owner' | 'operator';
  /** Made by `loadPage`, which loads the page when it is opened. */
  readonly component: ComponentType;
  /** Entry in the navigation; pages without one are linked from others. */
  readonly nav?: { readonly label: string; readonly icon: IconName };
  readonly needsSandbox?: true;
  /** Right that the page requires. */
  readonly needs?: Right;
}
