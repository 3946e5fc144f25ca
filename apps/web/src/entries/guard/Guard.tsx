import { useEffect, useEffectEvent, useMemo, useReducer, useState, type ReactNode } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { useAccess } from '../../lib/access.ts';
import { loadChunk } from '../../lib/chunks.ts';
import { holdFallback, showFallback } from '../../ui/screenFallback.tsx';
import { Loading } from '../../ui/states.tsx';
import { decide, type Decision } from './decide.ts';
import { situation } from './situation.ts';

/** Stands before every route, and lets its children be drawn when the way is free. */
export function Guard({ children }: { children: ReactNode }) {
  const { pathname, search, key: arrival } = useLocation();
  const navigate = useNavigate();
  const [entry, enterAgain] = useReducer((count: number) => count + 1, 0);
  const [failure, setFailure] = useState<{ error: unknown } | null>(null);
  useAccess();
  const decision = decide({ path: pathname, query: new URLSearchParams(search) }, situation());

  const visit = pathname + search;
  // An act changes what the guard knows before it is over (a failed load leaves no sign-in), so what it leads to counts
  // as long as the person has not gone elsewhere, whatever has been decided on the same path meanwhile.
  const isWanted = useEffectEvent((from: string) => from === visit);
  // The router draws the new address later than a change of state here would be: entering again at once would carry out
  // the same act once more, at the address that is left.
  const arrive = useEffectEvent((to: string | null) => {
    if (to === null) enterAgain();
    else void navigate(to, { replace: true });
  });
  // Decisions are plain data: the same one again is no reason to begin anew.
  const key = JSON.stringify(decision);
  const task = useMemo(
    () => ({ entry, arrival, visit, next: JSON.parse(key) as Decision }),
    [key, entry, arrival, visit],
  );
  useEffect(() => {
    const { next, visit: from } = task;
    if (next.kind === 'pass' || next.kind === 'go') return;
    holdFallback();
    carryOut(next).then(
      (to) => isWanted(from) && arrive(to),
      (error: unknown) => isWanted(from) && setFailure({ error }),
    );
  }, [task]);

  // Whatever is drawn here has come; `/` only leads on.
  const isDrawn = decision.kind === 'pass' && pathname !== '/';
  useEffect(() => {
    if (isDrawn) showFallback();
  }, [isDrawn]);

  if (failure) throw failure.error;
  if (decision.kind === 'pass') return children;
  if (decision.kind === 'go') return <Navigate replace to={decision.to} />;
  return <Loading />;
}

/** Most visits of the light pages need nothing carried out, so the means for it come when they do. */
async function carryOut(decision: Exclude<Decision, { kind: 'pass' | 'go' }>): Promise<string | null> {
  const { act } = await loadChunk(() => import('./act.ts'));
  return act(decision);
}
