import { expect, test } from 'vitest';
import { z as standIn } from '../tools/zod-without-schemas.ts';
import type { z as zod } from 'zod';

const z = standIn as typeof zod;

test('declaring schemas works as with zod', () => {
  const schema = z
    .object({ id: z.uuid(), name: z.string().trim().min(1).default('') })
    .extend({ kind: z.enum(['a', 'b']).optional() });
  expect(() => z.discriminatedUnion('kind', [schema as never, z.object({ kind: z.literal('b') })])).not.toThrow();
});

test('parsing throws that zod is not included', () => {
  expect(() => z.string().parse('x')).toThrow('zod is not part of the web app');
  expect(() => z.object({ id: z.uuid() }).safeParse({})).toThrow('safeParse');
});
