/**
 * Facades that only pass calls on, known by their shape: all that the module exports are functions of other modules, under
 * another name or called with the very arguments, in their order.
 */
import { type AnyNode, nameOf, type SourceFile, type TopLevel } from './source-files.ts';

/** The modules that are facades. */
export function facades(sources: readonly SourceFile[]): string[] {
  return sources.filter(isFacade).map(({ name }) => name);
}

function isFacade({ program, imports }: SourceFile): boolean {
  const foreign = new Set(
    imports.flatMap(({ local, typeOnly, target }) => (local && !typeOnly && target.startsWith('src/') ? [local] : [])),
  );
  const declared = new Map(program.body.flatMap(declarations));
  const exported = program.body.flatMap(exportedValues);
  const passesOn = (value: AnyNode | undefined): boolean => {
    if (value === undefined) return false;
    const node = unwrapped(value);
    if (node.type === 'Identifier') {
      const name = node['name'] as string;
      return foreign.has(name) || (declared.has(name) && passesOn(declared.get(name)));
    }
    if (node.type === 'ObjectExpression') {
      const properties = node['properties'] as AnyNode[];
      return (
        properties.length > 0 &&
        properties.every((one) => passesOn(one.type === 'ObjectProperty' ? (one['value'] as AnyNode) : one))
      );
    }
    if (node.type === 'ClassDeclaration') {
      const members = (node['body'] as AnyNode)['body'] as AnyNode[];
      return members.length > 0 && members.every((one) => one.type === 'ClassMethod' && forwards(one, foreign));
    }
    return isFunction(node) && forwards(node, foreign);
  };
  return exported.length > 0 && exported.every((value) => passesOn(typeof value === 'string' ? identifier(value) : value));
}

const identifier = (name: string): AnyNode => ({ type: 'Identifier', name });

const isFunction = ({ type }: AnyNode): boolean =>
  /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression|ObjectMethod)$/.test(type);

/** What a module exports that exists at run time: a node, or the name of a declaration. */
function exportedValues(statement: TopLevel): (AnyNode | string)[] {
  if (statement.type === 'ExportDefaultDeclaration') return [statement.declaration as unknown as AnyNode];
  if (statement.type !== 'ExportNamedDeclaration' || statement.exportKind === 'type') return [];
  const named = statement.specifiers.flatMap((one) => (one.type === 'ExportSpecifier' ? [nameOf(one.local)] : []));
  return [...named, ...(statement.declaration ? declarations(statement.declaration as TopLevel).map(([, value]) => value) : [])];
}

/** The values that a statement declares, by name. */
function declarations(statement: TopLevel): [string, AnyNode][] {
  if (statement.type === 'VariableDeclaration') {
    return statement.declarations.flatMap(({ id, init }): [string, AnyNode][] =>
      id.type === 'Identifier' && init ? [[id.name, init as unknown as AnyNode]] : [['', { type: 'Unknown' }]],
    );
  }
  if (statement.type === 'FunctionDeclaration' || statement.type === 'ClassDeclaration') {
    return [[statement.id?.name ?? '', statement as unknown as AnyNode]];
  }
  return statement.type === 'TSEnumDeclaration' ? [[statement.id.name, { type: 'Unknown' }]] : [];
}

/** `as`, `satisfies`, `!`, `await` and parentheses change nothing of what is called. */
function unwrapped(node: AnyNode): AnyNode {
  if (/^(TSAsExpression|TSSatisfiesExpression|TSNonNullExpression|ParenthesizedExpression)$/.test(node.type)) {
    return unwrapped(node['expression'] as AnyNode);
  }
  return node.type === 'AwaitExpression' ? unwrapped(node['argument'] as AnyNode) : node;
}

/**
 * The function does nothing but hand its parameters, whole or by their fields, to functions of other modules and to
 * methods of its parameters, in the order in which it got them: `(db, scope, id) => db.row(find(scope, id))`.
 */
function forwards(node: AnyNode, foreign: ReadonlySet<string>): boolean {
  const parameters = (node['params'] as AnyNode[]).map(parameterName);
  const result = onlyResult(node['body'] as AnyNode);
  if (result === undefined || unwrapped(result).type !== 'CallExpression' || parameters.includes(undefined)) return false;
  const used: string[] = [];
  let callsForeign = false;
  const follow = (value: AnyNode): boolean => {
    const at = unwrapped(value);
    if (at.type === 'SpreadElement') return follow(at['argument'] as AnyNode);
    if (at.type === 'Identifier') {
      const name = at['name'] as string;
      if (used.at(-1) !== name) used.push(name);
      return parameters.includes(name);
    }
    if (at.type === 'MemberExpression') return at['computed'] === false && follow(at['object'] as AnyNode);
    if (at.type !== 'CallExpression') return false;
    const callee = unwrapped(at['callee'] as AnyNode);
    const first = rootOf(callee);
    if (first === undefined) return false;
    if (foreign.has(first)) callsForeign = true;
    else if (callee.type !== 'MemberExpression' || !follow(callee['object'] as AnyNode)) return false;
    return (at['arguments'] as AnyNode[]).every(follow);
  };
  return follow(result) && callsForeign && used.join() === parameters.join();
}

/** `a` of `a` and of `a.b.c`. */
function rootOf(node: AnyNode): string | undefined {
  if (node.type === 'MemberExpression') return rootOf(node['object'] as AnyNode);
  return node.type === 'Identifier' ? (node['name'] as string) : undefined;
}

function parameterName(node: AnyNode): string | undefined {
  if (node.type === 'RestElement') return parameterName(node['argument'] as AnyNode);
  return node.type === 'Identifier' ? (node['name'] as string) : undefined;
}

/** What a function answers that consists of one expression. */
function onlyResult(body: AnyNode): AnyNode | undefined {
  if (body.type !== 'BlockStatement') return body;
  const [only, ...more] = body['body'] as AnyNode[];
  if (!only || more.length > 0) return undefined;
  if (only.type === 'ReturnStatement') return (only['argument'] as AnyNode | null) ?? undefined;
  return only.type === 'ExpressionStatement' ? (only['expression'] as AnyNode) : undefined;
}
