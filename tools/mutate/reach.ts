import { pointAt, type SourceMap } from './points.ts';

/** A point of a file, or its loading. */
export interface Spot {
  readonly file: string;
  readonly point: number;
}

/** Number that stands for the loading of a file. */
export const LOADED = -1;

/**
 * Points of which a test must run at least one to see a change at this place. For a constant at the top of a module these are the
 * points that use it, in any file.
 */
export function spotsReaching(file: string, place: number, maps: ReadonlyMap<string, SourceMap>): Spot[] {
  const seen = new Set<string>();
  const spots = spotsAt(file, place);
  return spots.length > 0 ? spots : [{ file, point: LOADED }];

  function spotsAt(path: string, at: number): Spot[] {
    const map = maps.get(path);
    if (!map) return [];
    const point = pointAt(map, at);
    if (point !== undefined) return [{ file: path, point }];
    const top = map.topLevel.find(({ start, end }) => start <= at && at < end);
    if (!top || seen.has(`${path}:${top.start}`)) return [];
    seen.add(`${path}:${top.start}`);
    const within = [...map.points.entries()].filter(
      ([, { start, end }]) => top.start <= start && end <= top.end,
    );
    const spotsWithin = within.map(([number]) => ({ file: path, point: number }));
    return top.isConstant
      ? [...spotsWithin, ...top.names.flatMap((name) => spotsUsing(path, name))]
      : spotsWithin;
  }

  function spotsUsing(path: string, name: string): Spot[] {
    return [...maps].flatMap(([each, { uses, imported }]) => {
      const here = each === path ? name : imported.get(name);
      return here === undefined ? [] : (uses.get(here) ?? []).flatMap((at) => spotsAt(each, at));
    });
  }
}
