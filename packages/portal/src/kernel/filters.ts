import { useSignal } from '@preact/signals';

/** Filters of a list, kept in the address: they survive a reload and the back button, and can be shared as a link. */
export interface Filters<T> {
  readonly value: T;
  readonly change: (change: Partial<T>) => void;
  /** No filter is set. */
  readonly areDefault: boolean;
}

export function useFilters<T extends Readonly<Record<string, string>>>(defaults: T): Filters<T> {
  const filters = useSignal<T>(readFrom(location.search, defaults));
  return {
    value: filters.value,
    areDefault: written(filters.value, defaults).size === 0,
    change(change) {
      filters.value = { ...filters.value, ...change };
      const query = written(filters.value, defaults);
      // Bypasses the router, which would take this for another page.
      history.replaceState(history.state, '', query.size === 0 ? location.pathname : `?${query}`);
    },
  };
}

function readFrom<T extends Readonly<Record<string, string>>>(search: string, defaults: T): T {
  const query = new URLSearchParams(search);
  const known = Object.keys(defaults).map((name) => [name, query.get(name) ?? defaults[name]]);
  return Object.fromEntries(known);
}

function written<T extends Readonly<Record<string, string>>>(filters: T, defaults: T): URLSearchParams {
  return new URLSearchParams(Object.entries(filters).filter(([name, value]) => value !== defaults[name]));
}
