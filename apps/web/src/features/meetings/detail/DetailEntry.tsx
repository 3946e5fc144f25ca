import type { ReactNode } from 'react';

/** One line of what is said about a meeting. */
export function DetailEntry({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
