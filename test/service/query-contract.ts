/**
 * The contract with what OpenAPI 3.1 has no place for: the method QUERY wherever GET is served, as 3.2 can declare it.
 * The parameters stand in the body; those of the path stay where they are.
 */

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema: object;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, object>>;
}

export interface Contract {
  readonly paths: Readonly<Record<string, { readonly get?: Operation; readonly post?: Operation }>>;
}

/** They are for whoever runs the service, and serve GET alone. */
const OPERATIONAL = ['/livez', '/readyz', '/metrics'];

export function withQueryMethod(contract: Contract): object {
  const paths = Object.entries(contract.paths).map(([path, item]) => {
    const isServed = item.get !== undefined && !OPERATIONAL.includes(path);
    return [path, isServed ? { ...item, query: queryOperation(item.get, contract) } : item];
  });
  return { ...contract, openapi: '3.2.0', paths: Object.fromEntries(paths) };
}

function queryOperation(get: Operation, { paths }: Contract): object {
  const { operationId, parameters = [], responses, ...rest } = get;
  const sent = parameters.filter((parameter) => parameter.in === 'query');
  const required = sent.filter((parameter) => parameter.required === true).map(({ name }) => name);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(sent.map((parameter) => [parameter.name, parameter.schema])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
  // What is refused of a body is the same for all that take one.
  const { 413: tooLarge, 415: otherType } = paths['/similar']!.post!.responses;
  return {
    ...rest,
    operationId: `${operationId}ByQuery`,
    parameters: parameters.filter((parameter) => parameter.in !== 'query'),
    requestBody: { required: true, content: { 'application/x-www-form-urlencoded': { schema } } },
    responses: { ...responses, 413: tooLarge, 415: otherType },
  };
}
