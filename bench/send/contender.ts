import { median } from '../lib/median.ts';
import { type Calls, type Remote, startRemote } from '../lib/remote.ts';
import type { LoadCalls } from './load-process.ts';

const CONNECTIONS = 64;

interface Round {
  readonly perSecond: number;
  readonly cpuMs: number;
  readonly p50Ms: number;
}

/** Starts a process of this folder, by the first part of its name. */
export const start = <C extends Calls>(name: string): Remote<C> =>
  startRemote<C>(new URL(`./${name}-process.ts`, import.meta.url));

/** A server under load, and the clients that load it. */
export function contender(name: string, url: string, cpuSeconds: () => Promise<number>) {
  const load = start<LoadCalls>('load');
  const measured: Round[] = [];
  return {
    name,
    load,
    measured,
    figure: (pick: (round: Round) => number): number => median(measured.map(pick)),
    async round(seconds: number): Promise<Round> {
      const before = await cpuSeconds();
      const order = { url, connections: CONNECTIONS, seconds };
      const { accepted, refused, ...figures } = await load.call('load', order);
      if (refused > 0) throw new Error(`${name} refused ${refused} sends`);
      return { ...figures, cpuMs: (1_000 * ((await cpuSeconds()) - before)) / accepted };
    },
  };
}

export const speed = ({ perSecond }: Round): number => perSecond;

export function report(contenders: readonly ReturnType<typeof contender>[]): void {
  for (const { name, measured, figure } of contenders) {
    const rates = measured.map(({ perSecond }) => perSecond.toFixed(0)).join(' ');
    const cpu = figure(({ cpuMs }) => cpuMs).toFixed(3);
    const p50 = figure(({ p50Ms }) => p50Ms).toFixed(1);
    console.log(
      `${name.padEnd(24)}${figure(speed).toFixed(0).padStart(7)}/s (rounds: ${rates}), ${cpu} ms of processor time each, p50 ${p50} ms`,
    );
  }
}
