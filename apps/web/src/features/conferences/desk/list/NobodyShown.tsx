import { EmptyState } from '../../../../ui/states.tsx';
import { useDesk } from '../context.ts';
import { WHOLE_LIST } from '../model/listView.ts';
import { ActionButton } from '../components/ActionButton.tsx';
import { useT } from '../texts.tsx';

/** Shown if no terminal is inside, or none matches the search. */
export function NobodyShown({ isEmpty }: { isEmpty: boolean }) {
  const t = useT();
  const desk = useDesk();
  if (isEmpty) return <EmptyState picture="list" title={t('list.empty')} hint={t('list.emptyHint')} />;
  return (
    <EmptyState picture="list" title={t('list.noMatch')}>
      <ActionButton
        icon="close"
        label={t('list.showAll')}
        onAction={() =>
          desk.view.set({
            list: { ...desk.view.getSnapshot().list, search: WHOLE_LIST.search, filter: WHOLE_LIST.filter },
          })
        }
      />
    </EmptyState>
  );
}
