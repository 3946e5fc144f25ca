import { TOTAL_COUNT_LIMIT } from '@rmeet/contract';
import { language, useTexts } from '../../lib/i18n/index.ts';
import { PAGE_SIZES } from '../../lib/listState.ts';
import { Pager } from '../Pager.tsx';
import './texts.ts';

interface ListPagerProps {
  data: { total: number; totalIsLowerBound?: boolean | undefined } | undefined;
  state: { current: number; size: number };
  onState: (change: { current?: number; size?: number }) => void;
}

/** The pager of an administration list, with its total. */
export function ListPager({ data, state, onState }: ListPagerProps) {
  const t = useTexts('admin');
  const total = data?.total ?? 0;
  return (
    <Pager
      current={state.current}
      size={state.size}
      sizes={PAGE_SIZES}
      total={total}
      totalText={t(data?.totalIsLowerBound === true ? 'totalAtLeast' : 'total', {
        total: Math.min(total, TOTAL_COUNT_LIMIT).toLocaleString(language()),
      })}
      onChange={onState}
    />
  );
}
