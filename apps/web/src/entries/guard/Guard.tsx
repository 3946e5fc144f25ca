import { useEffect, useEffectEvent, useMemo, useReducer, useState, type ReactNode } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { useAccess } from '../../lib/access.ts';
import { loadChunk } from '../../lib/chunks.ts';
import { holdFallback, showFallback } from '../../ui/screenFallback.tsx';
import { Loading } from '../../ui/states.tsx';
import { decide, type Decision } from './decide.ts';
import { situation } from './situation.ts';

/** Wraps every route, and renders its children once access is decided. */
export function Guard({ children }: { children: ReactNode }) {
  const { pathname, search, key: arrival } = useLocation();
  const navigate = useNavigate();
  const [entry, enterAgain] = useReducer((count: number) => count + 1, 0);
  const [failure, setFailure] = useState<{ error: unknown } | null>(null);
  useAccess();
  const decision = decide({ path: pathname, query: new URLSearchParams(search) }, situation());

  const visit = pathname + search;
  // An action changes the guard's state before it has finished (a failed load removes the sign-in), so its target
  // applies as long as the user has not navigated elsewhere, even if another decision was made for the same path in the
  // meantime.
  const isWanted = useEffectEvent((from: string) => from === visit);
  // The router renders the new URL later than a state change here would be rendered: entering again immediately would
  // repeat the same action at the old URL.
  const arrive = useEffectEvent((to: string | null) => {
    if (to === null) enterAgain();
    else void navigate(to, { replace: true });
  });
  // Decisions are plain data: an equal one must not restart the action.
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

  // A rendered page counts as reached; `/` only redirects.
  const isDrawn = decision.kind === 'pass' && pathname !== '/';
  useEffect(() => {
    if (isDrawn) showFallback();
  }, [isDrawn]);

  if (failure) throw failure.error;
  if (decision.kind === 'pass') return children;
  if (decision.kind === 'go') return <Navigate replace to={decision.to} />;
  return <Loading />;
}

/** Most visits of the small pages need no action, so the code for actions is loaded on demand. */
async function carryOut(decision: Exclude<Decision, { kind: 'pass' | 'go' }>): Promise<string | null> {
  const { act } = await loadChunk(() => import('./act.ts'));
  return act(decision);
}
