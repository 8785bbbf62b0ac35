import { describe, expect, it } from 'vitest';
import { avoidedWords } from './words.ts';

describe('the word check', () => {
  it.each([
    ['Nobody waits for it.', ['nobody']],
    ['onTold', ['told']],
    ['WHOEVER_ASKS', ['whoever']],
    ['It ends by itself, and says what became of it.', ['byitself', 'whatbecameof']],
    ['createNoticeBell(letters)', ['bell', 'letters']],
    ['the connection is deaf', ['deaf']],
    ['tellMessage', ['tell']],
  ])('finds the words in %s', (text, words) => {
    expect(avoidedWords(text).map(({ word }) => word)).toEqual(words);
  });

  it.each([
    'A bodyless request',
    'the toll',
    'retelling',
    'mould',
    'belly',
    'itself',
    'listDeadLetters',
    'dead_letters',
    "fault: 'deaf'",
    'operations.tellMessageRead',
  ])('leaves %s alone', (text) => {
    expect(avoidedWords(text)).toEqual([]);
  });

  it('says what to write', () => {
    expect(avoidedWords('told')).toEqual([
      { word: 'told', write: 'publish, emit, notify, report or record' },
    ]);
  });
});
