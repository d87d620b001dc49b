export { scene } from '../test/scene.js';
