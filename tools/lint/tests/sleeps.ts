import {
  type CallExpression,
  type Identifier,
  isCallExpression,
  isDoStatement,
  isForInStatement,
  isForOfStatement,
  isForStatement,
  isFunctionDeclaration,
  isIdentifier,
  isImportSpecifier,
  isMethodDeclaration,
  isNewExpression,
  isPropertyAccessExpression,
  isVariableDeclaration,
  isWhileStatement,
  type Node,
} from 'typescript/unstable/ast';
import { type Project, SymbolFlags } from 'typescript/unstable/sync';

/** Whether a call waits in real time. */
export function createSleepCheck(project: Project): (call: CallExpression) => boolean {
  const { checker } = project;

  /** Definition of the value, in any file. */
  function declarationOf(name: Identifier): Node | undefined {
    const symbol = checker.getSymbolAtLocation(name);
    if (!symbol) return undefined;
    const origin = symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return origin.valueDeclaration?.resolve(project);
  }

  /** Only awaited timers count; a later action is a deadline. */
  function isMachineTimer(name: Identifier): boolean {
    const [imported] = checker.getSymbolAtLocation(name)?.declarations ?? [];
    const specifier = imported?.resolve(project);
    if (!specifier || !isImportSpecifier(specifier)) return name.text === 'setTimeout' && isInPromise(name);
    return (specifier.propertyName ?? specifier.name).text === 'setTimeout';
  }

  function isMachineClock(name: Identifier): boolean {
    const declared = declarationOf(name);
    if (!declared || !isVariableDeclaration(declared)) return false;
    const { initializer } = declared;
    if (name.text === 'systemPlatform') return true;
    return (
      initializer !== undefined &&
      isCallExpression(initializer) &&
      initializer.expression.getText() === 'createSystemClock'
    );
  }

  return ({ expression: callee }) => {
    if (isIdentifier(callee)) return isMachineTimer(callee);
    return (
      isPropertyAccessExpression(callee) &&
      callee.name.text === 'sleep' &&
      isIdentifier(callee.expression) &&
      isMachineClock(callee.expression)
    );
  };
}

const LOOPS = [isDoStatement, isForInStatement, isForOfStatement, isForStatement, isWhileStatement];

function isInPromise(node: Node): boolean {
  for (let around = node.parent; around; around = around.parent)
    if (isNewExpression(around)) return around.expression.getText() === 'Promise';
  return false;
}

/** Sleeps in loops that poll or generate load, and bounds of other waits. */
export function isBetweenLooks(node: Node): boolean {
  for (let around = node.parent; around; around = around.parent) {
    if (LOOPS.some((isLoop) => isLoop(around))) return true;
    if (isCallExpression(around) && around.expression.getText() === 'Promise.race') return true;
    if (isFunctionDeclaration(around) || isMethodDeclaration(around)) return false;
  }
  return false;
}
