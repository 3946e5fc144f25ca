import { useEffect, useEffectEvent } from 'react';

interface PagedResult {
  data: { total: number } | undefined;
  isSuccess: boolean;
  isPlaceholderData: boolean;
}

/** Goes to the last page if the current page number is beyond it, for example after the last row was deleted. */
export function useLastPage(
  { data, isSuccess, isPlaceholderData }: PagedResult,
  { current, size }: { current: number; size: number },
  onState: (change: { current: number }) => void,
): void {
  const last = Math.max(1, Math.ceil((data?.total ?? 0) / size));
  const isBeyond = isSuccess && !isPlaceholderData && current > last;
  const goToLast = useEffectEvent(() => onState({ current: last }));
  useEffect(() => {
    if (isBeyond) goToLast();
  }, [isBeyond]);
}
