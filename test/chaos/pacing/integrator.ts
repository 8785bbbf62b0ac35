import type { SessionHealth } from '@parley/contract';
import type { Gateway } from '../../conformance/gateway.ts';
import { type LinkedNumber, until } from '../linked-number.ts';

/** Writes to one person after the other, and waits as asked by `Retry-After`: by moving the clock. */
export class Integrator {
  readonly #gateway: Gateway;
  readonly number: LinkedNumber;
  /** Messages that were accepted. */
  accepted = 0;
  /** How often pacing made it wait. */
  held = 0;
  /** How far the clock was moved. */
  travelledSeconds = 0;

  constructor(gateway: Gateway, number: LinkedNumber) {
    this.#gateway = gateway;
    this.number = number;
  }

  /** Returns `accepted`, else the reason for the refusal. */
  async tryToWrite(
    to: string,
    key = `notice to ${to}`,
  ): Promise<{ outcome: string; retryAfter: number; messageId?: string }> {
    const body = { session_id: this.number.sessionId, to, text: this.textOf(key) };
    const answer = await this.number.call<{ error?: string; message_id?: string }>(
      'POST',
      '/messages',
      body,
      key,
    );
    const { message_id: messageId = '' } = answer.body;
    if (answer.status === 202) return { outcome: 'accepted', retryAfter: 0, messageId };
    const retryAfter = Number(answer.headers.get('Retry-After') ?? 0);
    return { outcome: `${answer.status} ${answer.body.error}`, retryAfter };
  }

  textOf(key: string): string {
    return `Your order ${key} is ready.`;
  }

  /** Repeats until it is accepted. */
  async write(to: string): Promise<void> {
    for (;;) {
      const { outcome, retryAfter } = await this.tryToWrite(to);
      if (outcome === 'accepted') break;
      if (!outcome.startsWith('429') || retryAfter === 0) throw new Error(`${to}: ${outcome}`);
      if (outcome.includes('held back')) this.held += 1;
      // Accepted messages leave before the clock moves, as they would in real time.
      await this.untilSent();
      await this.travel(retryAfter);
    }
    this.accepted += 1;
  }

  async untilSent(): Promise<void> {
    await until(
      'the last message',
      () => this.total('sent'),
      (sent) => sent >= this.accepted,
    );
  }

  async travel(seconds: number): Promise<void> {
    await this.#gateway.sandbox('POST', '/clock', { advance_seconds: seconds });
    this.travelledSeconds += seconds;
  }

  async health(): Promise<SessionHealth> {
    const path = `/sessions/${encodeURIComponent(this.number.sessionId)}/health?days=90`;
    const answer = await this.number.call<SessionHealth>('GET', path);
    if (answer.status !== 200) throw new Error(`no health: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** Over all days. */
  async total(
    count: 'sent' | 'new_chats' | 'replies' | 'refused_463_known' | 'refused_463_unknown' | 'held_back',
  ): Promise<number> {
    return (await this.health()).days.reduce((sum, day) => sum + day[count], 0);
  }

  /** Whether the network itself has restricted the number. */
  async isRestricted(): Promise<boolean> {
    const phone = await this.#gateway.sandbox<{ restriction: object | null }>(
      'GET',
      `/phones/${this.number.phone}`,
    );
    return phone.restriction !== null;
  }
}
