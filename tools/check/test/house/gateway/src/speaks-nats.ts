export { connect } from 'nats';
