import {
  type CallExpression,
  isCallExpression,
  isFunctionLikeDeclaration,
  isIdentifier,
  isMethodDeclaration,
  isMethodSignatureDeclaration,
  isPropertyAccessExpression,
  isPropertyAssignment,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast';
import { type Project, type Signature, SignatureKind } from 'typescript/unstable/sync';

/** Strength of the expectations in code: on results, on mocks only, or none. */
export type Expects = 'something' | 'mocks' | 'nothing';

const OF_MOCKS = /^(?:to(?:HaveBeen|HaveReturned|HaveResolved|HaveLast|HaveNth|BeCalled|Return)|last|nth)/;

/** Expectations in the code itself, also in inner functions. */
export function expectationsIn(code: Node): CallExpression[] {
  return callsIn(code).filter(isExpectation);
}

function callsIn(code: Node): CallExpression[] {
  const found: CallExpression[] = [];
  function visit(node: Node): void {
    if (isCallExpression(node)) found.push(node);
    node.forEachChild(visit);
  }
  visit(code);
  return found;
}

function isExpectation({ expression: callee, parent }: CallExpression): boolean {
  if (isIdentifier(callee)) {
    // `expect(value)` without a matcher expects nothing.
    if (callee.text === 'expect') return isPropertyAccessExpression(parent);
    return callee.text === 'assert' || callee.text === 'expectTypeOf';
  }
  if (!isPropertyAccessExpression(callee)) return false;
  const of = isIdentifier(callee.expression) ? callee.expression.text : '';
  if (of === 'expect') return callee.name.text === 'soft' || callee.name.text === 'poll';
  return of === 'assert' || callee.name.text === 'assert';
}

function looksAtMocks(expectation: CallExpression): boolean {
  if (/\.mock\b/.test(expectation.arguments[0]?.getText() ?? '')) return true;
  let matcher = '';
  for (let node: Node = expectation.parent; isPropertyAccessExpression(node); node = node.parent)
    matcher = node.name.text;
  return OF_MOCKS.test(matcher);
}

/** Follows functions that are called or passed to a call, as far as their sources are known. */
export function createExpectationsCheck(project: Project): (code: Node) => Expects {
  const { checker } = project;
  const known = new Map<string, Expects>();

  function expectsOf(code: Node): Expects {
    const place = `${code.getSourceFile().fileName}:${code.pos}`;
    const before = known.get(place);
    if (before) return before;
    // Preliminary result, for recursion.
    known.set(place, 'nothing');
    const own = expectationsIn(code);
    let most: Expects = own.length > 0 ? 'mocks' : 'nothing';
    if (own.some((each) => !looksAtMocks(each))) most = 'something';
    for (const call of most === 'something' ? [] : callsIn(code)) {
      for (const helper of helpersOf(call)) {
        const expects = expectsOf(helper);
        if (expects !== 'nothing') most = most === 'something' ? most : expects;
      }
      if (most === 'something') break;
    }
    known.set(place, most);
    return most;
  }

  function helpersOf(call: CallExpression): Node[] {
    const given = call.arguments.filter((each) => isIdentifier(each) || isPropertyAccessExpression(each));
    return [checker.getResolvedSignature(call), ...given.flatMap(signaturesOf)].flatMap(sourceOf);
  }

  function signaturesOf(value: Node): readonly Signature[] {
    const type = checker.getTypeAtLocation(value);
    return type ? checker.getSignaturesOfType(type, SignatureKind.Call) : [];
  }

  function sourceOf(signature: Signature | undefined): Node[] {
    const declared = signature?.declaration?.resolve(project);
    if (!declared || declared.getSourceFile().fileName.includes('/node_modules/')) return [];
    if (isMethodSignatureDeclaration(declared))
      return membersOf(declared.getSourceFile(), declared.name.getText());
    return isFunctionLikeDeclaration(declared) ? [declared] : [];
  }

  return (code) =>
    isIdentifier(code)
      ? (signaturesOf(code).flatMap(sourceOf).map(expectsOf)[0] ?? 'nothing')
      : expectsOf(code);
}

/** Implementation of an interface's member, in an object of the same file. */
function membersOf(source: SourceFile, name: string): Node[] {
  const found: Node[] = [];
  function visit(node: Node): void {
    if ((isMethodDeclaration(node) || isPropertyAssignment(node)) && node.name.getText() === name)
      found.push(node);
    node.forEachChild(visit);
  }
  visit(source);
  return found;
}
