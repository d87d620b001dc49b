import { copyByButton } from './copy.js';
import { addRowsInPlace, searchAsTyped } from './redraw.js';
import { selectByKeys } from './selection.js';

// What a page can do besides where scripts run. All of it works without: each island does what a form or a link does too.
document.documentElement.classList.add('live');
copyByButton();
addRowsInPlace();
searchAsTyped();
selectByKeys();
