import type { ReactNode } from 'react';

/** One labelled line of a meeting's details. */
export function DetailEntry({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
