import { useQuery } from '@tanstack/react-query';
import { Navigate, useSearchParams } from 'react-router';
import { session } from '../../lib/browser.ts';
import { ownPath } from '../../lib/paths.ts';
import { Loading } from '../../ui/states.tsx';
import { adopt, signInBy } from '../guard/act.ts';

/**
 * Single sign-on of the product's own client: `?token=` contains a session token, `?sign=` a ticket. Then continues as
 * after any sign-in.
 */
export function SingleLoginPage() {
  const [params] = useSearchParams();
  const token = params.get('token');
  const sign = params.get('sign');
  // As a query it runs once, because a ticket can only be used once.
  const { isPending } = useQuery({
    queryKey: ['singleLogin', token, sign],
    queryFn: async () => {
      session.setNote('isSingleLogin', '1');
      if (token) await adopt(token, {});
      else if (sign) await signInBy(sign);
      return true;
    },
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  });
  return isPending ? <Loading /> : <Navigate replace to={ownPath(params.get('redirect'))} />;
}
