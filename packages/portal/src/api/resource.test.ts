import { expect, it } from 'vitest';
import { Problem } from './problem.ts';
import { createResource } from './resource.ts';

/** Gateway whose answers the test sends by hand. */
function slowly() {
  const questions: PromiseWithResolvers<string>[] = [];
  const resource = createResource(() => {
    const question = Promise.withResolvers<string>();
    questions.push(question);
    return question.promise;
  });
  return { questions, resource };
}

it('shows an answer although another request was sent before it arrived', async () => {
  const { questions, resource } = slowly();
  const first = resource.reload();
  void resource.reload();
  questions[0]?.resolve('early');
  await first;
  expect(resource.data.value).toBe('early');
  await expect.poll(() => questions.length).toBe(2);
  questions[1]?.resolve('late');
  await expect.poll(() => resource.data.value).toBe('late');
});

it('keeps its data when a reload is refused', async () => {
  const { questions, resource } = slowly();
  const first = resource.reload();
  questions[0]?.resolve('here');
  await first;
  const second = resource.reload();
  questions[1]?.reject(new Problem(503, 'not now'));
  await second;
  expect(resource.data.value).toBe('here');
  expect(resource.problem.value).toMatchObject({ message: 'not now' });
});

it('ignores an answer that is older than its replacement', async () => {
  const { questions, resource } = slowly();
  const asked = resource.reload();
  resource.replace('newer');
  questions[0]?.resolve('older');
  await asked;
  expect(resource.data.value).toBe('newer');
});
