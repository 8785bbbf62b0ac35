import type { Invoice, Party } from '@parley/contract';
import { formatMoney } from '../prices.ts';
import { dayOf } from '../public-invoice.ts';
import { createPdf, PAGE, type PdfDocument, wrap } from './document.ts';

const LEFT = 56;
const RIGHT = PAGE.width - LEFT;
const MIDDLE = 330;
const LINE = 14;
const BOTTOM = PAGE.height - 60;

/** The invoice on paper. It says what the portal's page says. */
export function invoicePdf(invoice: Invoice): Buffer {
  const pdf = createPdf();
  const pen = createPen(pdf);
  const title = invoice.number === null ? 'Usage statement' : `Invoice ${invoice.number}`;

  pdf.text(title, { x: LEFT, y: 76, size: 20, font: 'bold' });
  const seller = partyLines(invoice.seller);
  seller.forEach((line, index) => {
    pdf.text(line, {
      x: RIGHT,
      y: 64 + index * LINE,
      align: 'right',
      font: index === 0 ? 'bold' : 'regular',
    });
  });
  pen.y = Math.max(120, 64 + seller.length * LINE + 20);

  const top = pen.y;
  pen.caption('Billed to');
  for (const line of partyLines(invoice.buyer)) pen.line(line);
  const afterBuyer = pen.y;
  const facts = factsOf(invoice);
  facts.forEach(([name, value], index) => {
    const y = top + index * LINE;
    pdf.text(name, { x: MIDDLE, y, grey: 0.4 });
    pdf.text(value, { x: RIGHT, y, align: 'right' });
  });
  pen.y = Math.max(afterBuyer, top + facts.length * LINE) + 24;

  drawLines(pdf, pen, invoice);
  pen.y += 16;
  for (const line of wrap(usageOf(invoice), 'regular', 10, RIGHT - LEFT)) pen.line(line, 0.4);
  if (invoice.note) {
    pen.y += 8;
    for (const line of wrap(invoice.note, 'regular', 10, RIGHT - LEFT)) pen.line(line);
  }
  return pdf.finish(title);
}

function factsOf(invoice: Invoice): [string, string][] {
  const { issued_at, due_at, paid_at, payment_reference: reference } = invoice;
  return [
    ['Issued', dayOf(issued_at)],
    ['Period', `${dayOf(invoice.period_start)} – ${dayOf(invoice.period_end)}`],
    ['Number', `+${invoice.phone}`],
    ...(due_at === null || paid_at !== null ? [] : [['Due', dayOf(due_at)] as [string, string]]),
    ...(paid_at === null ? [] : [['Paid', dayOf(paid_at)] as [string, string]]),
    ...(reference === null ? [] : [['Reference', reference] as [string, string]]),
  ];
}

function drawLines(pdf: PdfDocument, pen: Pen, invoice: Invoice): void {
  const { currency, net, tax, total, tax_percent: percent } = invoice;
  if (currency === null || net === null || tax === null || total === null) return;
  const sum = (name: string, amount: number, font: 'regular' | 'bold' = 'regular'): void => {
    pen.space();
    pdf.text(name, { x: MIDDLE, y: pen.y, font });
    pdf.text(formatMoney(amount, currency), { x: RIGHT, y: pen.y, align: 'right', font });
    pen.y += LINE + 2;
  };
  pdf.rule(pen.y - LINE, LEFT, RIGHT);
  for (const { description, amount } of invoice.lines) {
    pdf.text(formatMoney(amount, currency), { x: RIGHT, y: pen.y, align: 'right' });
    for (const line of wrap(description, 'regular', 10, RIGHT - LEFT - 110)) pen.line(line);
  }
  pdf.rule(pen.y - LINE / 2, LEFT, RIGHT);
  pen.y += LINE;
  sum('Net', net);
  sum(`Tax ${percent ?? 0} %`, tax);
  sum('Total', total, 'bold');
}

function usageOf({ used, quota, number }: Invoice): string {
  const format = new Intl.NumberFormat('en');
  const sent = `${format.format(used)} of ${format.format(quota)} included messages were sent in this period.`;
  return number === null ? `${sent} Nothing is to be paid.` : sent;
}

function partyLines(party: Party | null): string[] {
  if (!party) return [];
  const lines = [party.name, ...(party.address ?? '').split('\n'), party.tax_id, party.email];
  return lines.flatMap((line) => (line ? [line.trim()] : []));
}

interface Pen {
  y: number;
  caption(words: string): void;
  line(words: string, grey?: number): void;
  /** Goes on at the top of a new page where this one is full. */
  space(): void;
}

function createPen(pdf: PdfDocument): Pen {
  const pen: Pen = {
    y: 0,
    caption(words) {
      pdf.text(words, { x: LEFT, y: pen.y, grey: 0.4 });
      pen.y += LINE;
    },
    line(words, grey = 0) {
      pen.space();
      pdf.text(words, { x: LEFT, y: pen.y, grey });
      pen.y += LINE;
    },
    space() {
      if (pen.y < BOTTOM) return;
      pdf.breakPage();
      pen.y = 76;
    },
  };
  return pen;
}
