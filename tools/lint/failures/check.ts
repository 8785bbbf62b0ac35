import { type CallExpression, isCallExpression, type Node } from 'typescript/unstable/ast';
import type { Project } from 'typescript/unstable/sync';
import { type CheckFile, checkSources, type Finding } from '../sources.ts';
import { callbacksOf, createPromiseCheck, droppedExpressions, FLOATING, MISUSED } from './floating.ts';
import { createSilenceCheck, SWALLOWED } from './silent.ts';

export function findSilentFailures(
  root: string,
  projects: readonly string[],
  isHeld: (file: string) => boolean,
): Finding[] {
  return checkSources(root, projects, isHeld, createFileCheck);
}

function createFileCheck({ checker }: Project): CheckFile {
  const isPromise = createPromiseCheck(checker);
  const isSilent = createSilenceCheck(checker);
  return (source) => {
    const silent: Node[] = [];
    const dropped: Node[] = [];
    const calls: CallExpression[] = [];
    function visit(node: Node): void {
      if (isSilent(node)) silent.push(node);
      dropped.push(...droppedExpressions(node));
      if (isCallExpression(node)) calls.push(node);
      node.forEachChild(visit);
    }
    visit(source);
    // One batch for all, because each question is a message to the compiler.
    const types = dropped.length > 0 ? checker.getTypeAtLocation(dropped) : [];
    const floating = dropped.filter((_, index) => {
      const type = types[index];
      return type !== undefined && isPromise(type);
    });
    const misused = calls.flatMap((call) => callbacksOf(call, checker, isPromise));
    return [
      ...silent.map((node) => [node, SWALLOWED] as const),
      ...floating.map((node) => [node, FLOATING] as const),
      ...misused.map((node) => [node, MISUSED] as const),
    ];
  };
}
