import { useEffect, useRef } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { faultText, hasMoreFaults, rowsToStore, type ImportResult } from './sheet.ts';

interface ImportReportProps {
  /** The file's name. */
  name: string;
  result: ImportResult;
  /** Stored; otherwise only checked. */
  isDone: boolean;
}

const COUNTS = ['rows', 'added', 'changed', 'unchanged'] as const;

/** The result of an import, and every invalid cell. */
export function ImportReport({ name, result, isDone }: ImportReportProps) {
  const t = useTexts('terminals');
  const heading = useRef<HTMLHeadingElement>(null);
  const { faults } = result;
  // The focused element may have been removed, so the focus moves to the result.
  useEffect(() => heading.current?.focus(), []);

  const verdict = () => {
    if (isDone) return t('import.verdict.done');
    if (faults.length > 0) return t('import.verdict.faults', { count: faults.length });
    return rowsToStore(result) === 0 ? t('import.verdict.nothing') : t('import.verdict.fine');
  };

  return (
    <div className="import-report" data-testid="import-report">
      <h2
        ref={heading}
        tabIndex={-1}
        className={faults.length > 0 ? 'import-verdict import-verdict-wrong' : 'import-verdict'}
        data-testid="import-verdict"
      >
        {verdict()}
      </h2>
      <p className="import-file">{name}</p>
      <dl className="import-counts">
        {COUNTS.map((count) => (
          <div key={count}>
            <dt>{t(`import.count.${count}`)}</dt>
            <dd data-testid={`import-${count}`}>{result[count]}</dd>
          </div>
        ))}
      </dl>
      {faults.length > 0 && (
        <div className="import-faults">
          <FaultTable faults={faults} />
          {hasMoreFaults(result) && <p className="import-more">{t('import.more', { count: faults.length })}</p>}
        </div>
      )}
    </div>
  );
}

function FaultTable({ faults }: Pick<ImportResult, 'faults'>) {
  const t = useTexts('terminals');
  const common = useTexts('common');
  return (
    <DataTable
      label={t('import.faults')}
      columns={[
        {
          key: 'row',
          label: t('import.row'),
          width: '80px',
          heading: true,
          render: ({ row }) => t('import.rowNumber', { row }),
        },
        {
          key: 'column',
          label: t('import.column'),
          width: '100px',
          render: ({ column }) => t(`column.${column}`),
        },
        { key: 'fault', label: t('import.wrong'), render: (fault) => faultText(fault, t) },
        {
          key: 'value',
          label: t('import.value'),
          width: '130px',
          render: ({ value }) => value || common('empty'),
        },
      ]}
      rows={faults}
      rowKey={({ row, column, fault }) => `${row}:${column}:${fault}`}
      rowTestId="import-fault-row"
    />
  );
}
