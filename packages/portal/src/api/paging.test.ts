import { expect, it } from 'vitest';
import { createPaging } from './paging.ts';
import { Problem } from './problem.ts';

const PAGE_SIZE = 2;

/** List whose pages the test answers by hand. */
function slowly() {
  const questions: { last: string | undefined; answer: PromiseWithResolvers<readonly string[]> }[] = [];
  const paging = createPaging<string>({
    load(last) {
      const answer = Promise.withResolvers<readonly string[]>();
      questions.push({ last, answer });
      return answer.promise;
    },
    keyOf: (item) => item,
    pageSize: PAGE_SIZE,
  });
  return { questions, paging };
}

/** List whose first page is loaded. */
async function begun(page: readonly string[]) {
  const { questions, paging } = slowly();
  const first = paging.reload();
  questions[0]?.answer.resolve(page);
  await first;
  return { questions, paging };
}

it('loads older pages until the last', async () => {
  const { questions, paging } = await begun(['d', 'c']);
  const more = paging.more();
  void paging.more();
  expect(questions.map(({ last }) => last)).toEqual([undefined, 'c']);
  questions[1]?.answer.resolve(['b']);
  await more;
  expect(paging.items.value).toEqual(['d', 'c', 'b']);
  expect(paging.isWhole.value).toBe(true);
});

it('puts items that arrive during the first request on top, without duplicates', async () => {
  const { questions, paging } = slowly();
  const first = paging.reload();
  paging.prepend(['b']);
  paging.prepend(['c']);
  questions[0]?.answer.resolve(['b', 'a']);
  await first;
  expect(paging.items.value).toEqual(['c', 'b', 'a']);
});

it('keeps items that arrive during a reload', async () => {
  const { questions, paging } = await begun(['a']);
  const again = paging.reload();
  paging.prepend(['b']);
  expect(paging.items.value).toEqual(['b', 'a']);
  questions[1]?.answer.resolve(['a']);
  await again;
  expect(paging.items.value).toEqual(['b', 'a']);
});

it('adds no item twice', async () => {
  const { paging } = await begun(['b', 'a']);
  paging.prepend(['b']);
  expect(paging.items.value).toEqual(['b', 'a']);
});

it('drops an older page that arrives after a reload', async () => {
  const { questions, paging } = await begun(['d', 'c']);
  const [again, more] = [paging.reload(), paging.more()];
  questions[1]?.answer.resolve(['f', 'e']);
  await again;
  questions[2]?.answer.resolve(['b', 'a']);
  await more;
  expect(paging.items.value).toEqual(['f', 'e']);
});

it('keeps loaded items on a refusal, and clears the problem with the next answer', async () => {
  const { questions, paging } = await begun(['b', 'a']);
  const again = paging.reload();
  questions[1]?.answer.reject(new Problem(503, 'not now'));
  await again;
  expect(paging.items.value).toEqual(['b', 'a']);
  expect(paging.problem.value).toMatchObject({ message: 'not now' });
  const retry = paging.reload();
  questions[2]?.answer.resolve(['c', 'b']);
  await retry;
  expect(paging.items.value).toEqual(['c', 'b']);
  expect(paging.problem.value).toBeUndefined();
});
