import type { ApiScope } from '@rmeet/contract';

type WithoutColon<S extends string> = S extends `${infer Domain}:${infer Right}` ? `${Domain}-${Right}` : never;

/** The key of a scope's text: a colon would name a namespace. */
export const scopeKey = (scope: ApiScope): WithoutColon<ApiScope> => scope.replace(':', '-') as WithoutColon<ApiScope>;
