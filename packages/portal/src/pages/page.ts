import type { Right } from '@parley/contract';
import type { ComponentType } from 'preact';
import type { IconName } from '../ui/index.ts';

export interface PageEntry {
  /** As preact-iso writes it: `/portal/numbers/:phone`. */
  readonly path: string;
  readonly audience: 'owner' | 'operator';
  /** Made by `loadPage`, so that the page is loaded when it is opened. */
  readonly component: ComponentType;
  /** In the navigation; a page without is reached from another. */
  readonly nav?: { readonly label: string; readonly icon: IconName };
  readonly needsSandbox?: true;
  /** What the role of a member must allow, where the page is of no use without. */
  readonly needs?: Right;
}
