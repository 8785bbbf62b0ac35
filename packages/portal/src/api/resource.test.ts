import { expect, it } from 'vitest';
import { Problem } from './problem.ts';
import { createResource } from './resource.ts';

/** A gateway that answers when it is told to. */
function slowly() {
  const questions: PromiseWithResolvers<string>[] = [];
  const resource = createResource(() => {
    const question = Promise.withResolvers<string>();
    questions.push(question);
    return question.promise;
  });
  return { questions, resource };
}

it('is shown although it was asked for again before the answer came', async () => {
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

it('keeps what was here when it is refused the second time', async () => {
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

it('is not put back by an answer that is older than what replaced it', async () => {
  const { questions, resource } = slowly();
  const asked = resource.reload();
  resource.replace('newer');
  questions[0]?.resolve('older');
  await asked;
  expect(resource.data.value).toBe('newer');
});
