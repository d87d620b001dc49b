import { copyByButton } from './copy.js';
import { addRowsInPlace } from './rows.js';
import { searchAsTyped } from './search.js';
import { selectByKeys } from './selection.js';

// What a page can do besides where scripts run. All of it works without: each island does what a form or a link does too.
document.documentElement.classList.add('live');
copyByButton();
addRowsInPlace();
searchAsTyped();
selectByKeys();
