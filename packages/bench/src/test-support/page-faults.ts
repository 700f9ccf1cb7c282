import { parseHTML } from 'linkedom';

/** What is used of an element. */
interface Element {
  readonly tagName: string;
  readonly textContent: string;
  readonly id: string;
  readonly parentElement: Element | null;
  readonly attributes: Iterable<{ readonly name: string }>;
  getAttribute(name: string): string | null;
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
  closest(selector: string): Element | null;
}

const shown = (element: Element) =>
  `<${element.tagName.toLowerCase()}> ${(element.id || element.textContent.trim()).slice(0, 40)}`;

function idFaults(page: Element): string[] {
  const ids = [...page.querySelectorAll('[id]')].map(({ id }) => id);
  const twice = ids.filter((id, i) => ids.indexOf(id) !== i);
  const named = (attribute: string) =>
    [...page.querySelectorAll(`[${attribute}]`)].flatMap((element) =>
      (element.getAttribute(attribute) ?? '')
        .split(/\s+/)
        .filter((id) => !ids.includes(id))
        .map((id) => `${attribute} of ${shown(element)} names ${id}, which is not there`),
    );
  const links = [...page.querySelectorAll('a[href^="#"]')]
    .map((link) => (link.getAttribute('href') ?? '').slice(1))
    .filter((id) => !ids.includes(id));
  return [
    ...twice.map((id) => `The id ${id} is there twice`),
    ...named('aria-labelledby'),
    ...links.map((id) => `A link leads to #${id}, which is not there`),
  ];
}

function headingFaults(page: Element): string[] {
  const levels = [...page.querySelectorAll('h1,h2,h3,h4,h5,h6')].map((heading) => ({
    level: Number(heading.tagName.slice(1)),
    text: heading.textContent,
  }));
  const first = levels.filter(({ level }) => level === 1).length;
  return [
    ...(first === 1 ? [] : [`There are ${first} headings of level 1`]),
    ...levels.flatMap(({ level, text }, i) =>
      level > (levels[i - 1]?.level ?? 0) + 1 ? [`The heading “${text}” skips a level`] : [],
    ),
    ...levels.flatMap(({ text }) => (text.trim() === '' ? ['A heading is empty'] : [])),
  ];
}

function pictureFaults(page: Element): string[] {
  const outer = [...page.querySelectorAll('svg')].filter((svg) => svg.parentElement?.closest('svg') === null);
  return outer.flatMap((svg) => {
    const has = (name: string) => (svg.querySelector(name)?.textContent ?? '').trim() !== '';
    return [
      ...(svg.getAttribute('role') === 'img' ? [] : [`${shown(svg)} has no role="img"`]),
      ...(has('title') ? [] : [`${shown(svg)} has no title`]),
      ...(has('desc') ? [] : [`${shown(svg)} has no description`]),
      ...(svg.closest('figure') === null ? [`${shown(svg)} is in no figure`] : []),
    ];
  });
}

function tableFaults(page: Element): string[] {
  const tables = [...page.querySelectorAll('table')].flatMap((table) => [
    ...(table.querySelector('caption')?.textContent.trim() ? [] : [`${shown(table)} has no caption`]),
    ...(table.querySelector('thead th[scope="col"]') ? [] : [`${shown(table)} has no heads of columns`]),
    ...[...table.querySelectorAll('tbody tr')].flatMap((row) =>
      row.querySelector('th[scope="row"]') ? [] : [`${shown(row)} has no head`],
    ),
  ]);
  const figures = [...page.querySelectorAll('figure')].flatMap((figure) =>
    figure.querySelector('details summary') && figure.querySelector('details table')
      ? []
      : [`${shown(figure)} does not show its data`],
  );
  return [...tables, ...figures];
}

function landmarkFaults(page: Element): string[] {
  const missing = ['header', 'nav[aria-label]', 'main', 'footer', 'a.skip[href="#main"]', 'title'];
  const inputs = [...page.querySelectorAll('input')].filter(
    (input) => input.closest('label') === null || input.closest('fieldset') === null,
  );
  return [
    ...missing.flatMap((selector) => (page.querySelector(selector) ? [] : [`There is no ${selector}`])),
    ...(page.getAttribute('lang') ? [] : ['The page does not say its language']),
    ...inputs.map((input) => `${shown(input)} has no label in a group`),
  ];
}

/** What would load something, run something, or be held back by the page's policy. */
function policyFaults(page: Element, html: string): string[] {
  const policy = page.querySelector('meta[http-equiv="Content-Security-Policy"]')?.getAttribute('content');
  const foreign = [...page.querySelectorAll('[src],[href]')].filter((element) => {
    const address = element.getAttribute('src') ?? element.getAttribute('href') ?? '';
    return !address.startsWith('#') && address !== 'data:,';
  });
  return [
    ...(policy?.startsWith("default-src 'none'") ? [] : ['The policy does not forbid everything first']),
    ...(policy?.includes('unsafe') ? ['The policy allows what is unsafe'] : []),
    ...[...page.querySelectorAll('script,iframe,object,embed,base,form')].map(
      (one) => `${shown(one)} is there`,
    ),
    ...[...page.querySelectorAll('[style]')].map((one) => `${shown(one)} has a style of its own`),
    ...foreign.map((one) => `${shown(one)} leads out of the page`),
    ...[...page.querySelectorAll('*')].flatMap((one) =>
      [...one.attributes].flatMap(({ name }) =>
        /^on/i.test(name) ? [`An attribute is a script: ${name} of ${shown(one)}`] : [],
      ),
    ),
    ...(/url\(|@import/.test(html) ? ['A style loads something'] : []),
  ];
}

/** What of a report's page is not as everybody, and every reader of screens, needs it, as sentences. */
export function pageFaults(html: string): string[] {
  const page = parseHTML(html).document.documentElement as unknown as Element;
  return [
    ...idFaults(page),
    ...headingFaults(page),
    ...pictureFaults(page),
    ...tableFaults(page),
    ...landmarkFaults(page),
    ...policyFaults(page, html),
  ];
}
