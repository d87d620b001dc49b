/** The side navigation: the parts of the introduction, then every operation under its group. */
export function fillContents(ui) {
  const contents = document.getElementById('contents');
  const nav = contents.querySelector('nav');
  const wide = matchMedia('(min-width: 64rem)');
  const follow = () => (contents.open = wide.matches);
  wide.addEventListener('change', follow);
  follow();
  // Swagger UI's main part are its operations: the introduction stands outside, and has to be found as well.
  const introduction = document.querySelector('#reference .information-container');
  introduction?.setAttribute('role', 'region');
  introduction?.setAttribute('aria-label', 'Introduction');
  nav.replaceChildren(...introductionOf(), ...groupsOf(ui));
  nav.addEventListener('click', ({ target }) => {
    if (target.closest('a') && !wide.matches) contents.open = false;
  });
}

function introductionOf() {
  const headings = [...document.querySelectorAll('#reference .info h2:not(.title)')];
  const links = headings.map((heading) => {
    heading.id = heading.textContent.toLowerCase().replaceAll(/\W+/g, '-');
    return linkTo(`#${heading.id}`, heading.textContent);
  });
  return [listOf('Introduction', links)];
}

function groupsOf(ui) {
  const { tags = [], paths } = ui.specSelectors.specJson().toJS();
  const operations = Object.values(paths).flatMap((item) => Object.entries(item));
  return tags.map(({ name }) => {
    const own = operations.filter(([, operation]) => operation.tags.includes(name));
    return listOf(
      name,
      own.map(([method, operation]) => operationLink(ui, name, method, operation)),
    );
  });
}

function operationLink(ui, tag, method, { operationId, summary }) {
  const link = linkTo(`#/${tag}/${operationId}`, summary);
  const badge = document.createElement('span');
  badge.className = `method ${method}`;
  badge.textContent = method.toUpperCase();
  link.prepend(badge);
  // Swagger UI follows the address only when the page is loaded.
  link.addEventListener('click', () => {
    ui.layoutActions.show(['operations-tag', tag], true);
    ui.layoutActions.show(['operations', tag, operationId], true);
    requestAnimationFrame(() => document.getElementById(`operations-${tag}-${operationId}`)?.scrollIntoView());
  });
  return link;
}

function linkTo(href, text) {
  const link = document.createElement('a');
  link.href = href;
  link.append(text);
  return link;
}

function listOf(title, links) {
  const list = document.createElement('ul');
  list.append(
    ...links.map((link) => {
      const item = document.createElement('li');
      item.append(link);
      return item;
    }),
  );
  const section = document.createElement('section');
  const heading = document.createElement('h2');
  heading.textContent = title;
  section.append(heading, list);
  return section;
}
